import { connect, type Socket } from "node:net";

/** Clients that never read: their responses stay in the operating system's buffers. */
export interface Crowd {
  leave(): void;
}

/** Opens connections that each send a text and read nothing of the response. */
export function openCrowd(port: number, size: number, text: string): Crowd {
  const sockets: Socket[] = [];
  for (let client = 0; client < size; client += 1) {
    const socket = connect({ port, host: "127.0.0.1" }, () => void socket.write(text));
    socket.pause();
    sockets.push(socket);
    socket.on("error", () => {});
  }
  return {
    leave() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
