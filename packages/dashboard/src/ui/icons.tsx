import type { ReactNode } from "react";

/** Drawings of 20 × 20 in the colour of the text. They repeat what words say, so screen readers skip them. */
function icon(content: ReactNode) {
  return function Icon({ size = 20 }: { size?: number }) {
    return (
      <svg
        aria-hidden="true"
        className="shrink-0"
        width={size}
        height={size}
        viewBox="0 0 20 20"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        {content}
      </svg>
    );
  };
}

export const GraphIcon = icon(
  <>
    <circle cx="5" cy="14.500" r="2.200" />
    <circle cx="15.500" cy="12.500" r="2.200" />
    <circle cx="9" cy="4.800" r="2.200" />
    <path d="M8.200 6.900 5.800 12.400M10.600 6.300l3.700 4.500M7.200 14.100l6.100-1.200" />
  </>,
);
export const PathIcon = icon(
  <>
    <circle cx="4.500" cy="15.500" r="2" />
    <circle cx="15.500" cy="4.500" r="2" />
    <path d="M6.500 15.500h4.500c4 0 4-5.500 0-5.500h-2c-4 0-4-5.500 0-5.500h4.500" />
  </>,
);
export const MapIcon = icon(
  <>
    <circle cx="7" cy="8" r="4.500" />
    <circle cx="14.500" cy="14" r="3" />
    <path d="M6 7.500v.1M8.500 9v.1M14.500 14v.1" />
  </>,
);
export const ReferenceIcon = icon(
  <path d="M10 5.500C8.500 4.200 6 3.800 3 4v11.500c3-.2 5.500.2 7 1.500 1.500-1.300 4-1.700 7-1.500V4c-3-.2-5.500.2-7 1.500zM10 5.500V17" />,
);
export const WorkspacesIcon = icon(
  <>
    <path d="M3 7.500 10 4l7 3.500-7 3.500z" />
    <path d="m3 12 7 3.500 7-3.500" />
  </>,
);
export const TokensIcon = icon(
  <>
    <circle cx="6.500" cy="13.500" r="3.500" />
    <path d="M9 11l7.500-7.500M13 7l2.500 2.500" />
  </>,
);
export const ActivityIcon = icon(<path d="M2.500 10.500h3.500l2.500-6 3.500 11 2.500-5h3" />);
export const SearchIcon = icon(
  <>
    <circle cx="8.500" cy="8.500" r="5" />
    <path d="m12.500 12.500 4.500 4.500" />
  </>,
);
export const AccountIcon = icon(
  <>
    <circle cx="10" cy="6.800" r="3.200" />
    <path d="M3.800 16.800c1-3.500 3.300-5 6.200-5s5.200 1.500 6.200 5" />
  </>,
);
export const CheckIcon = icon(<path d="m4 10.500 4 4 8-9" />);
export const CrossIcon = icon(<path d="m5 5 10 10M15 5 5 15" />);
export const WarnIcon = icon(<path d="M10 3 2.500 16.500h15zM10 8.500v3.500M10 14.300v.1" />);
export const ClockIcon = icon(
  <>
    <circle cx="10" cy="10" r="7.200" />
    <path d="M10 6v4.200l2.800 1.800" />
  </>,
);
export const SyncIcon = icon(
  <path d="M16.500 8A7 7 0 0 0 4 6.500M3.500 12A7 7 0 0 0 16 13.500M4 3v3.500h3.500M16 17v-3.500h-3.500" />,
);
export const PlusIcon = icon(<path d="M10 4v12M4 10h12" />);
export const MinusIcon = icon(<path d="M4 10h12" />);
export const MoreIcon = icon(<path d="M4.500 10h.01M10 10h.01M15.500 10h.01" strokeWidth="2.600" />);
export const CopyIcon = icon(
  <>
    <rect x="7" y="7" width="9.500" height="9.500" rx="1.800" />
    <path d="M4.500 13H4a1 1 0 0 1-1-1V4.500A1.500 1.500 0 0 1 4.500 3H12a1 1 0 0 1 1 1v.5" />
  </>,
);
