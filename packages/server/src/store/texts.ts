/** Another process removed the connection, or the whole index, while a segment was written. */
export const segmentRemoved = (segment: number, connectionId: number) =>
  `segment ${segment} of connection ${connectionId} was removed while it was written`;
