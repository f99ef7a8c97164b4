const repeated = new WeakSet<object>();

/** Says of a message that it is kept to be answered again: then what is written of it is kept as well. */
export function willRepeat<Message extends object>(message: Message): Message {
  repeated.add(message);
  return message;
}

/** Whether that was said of it. To keep what is written of every answer would cost more than to write it anew. */
export function isRepeated(message: unknown): boolean {
  return repeated.has(Object(message));
}
