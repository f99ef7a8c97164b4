/** A UUID of 32 hexadecimal digits: the same digits with dashes (RFC 9562, section 4). */
export function uuidOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
