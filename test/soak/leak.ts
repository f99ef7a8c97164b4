import { Server } from "node:http";

/** A leak that is planted in a Clew by `--import`: each request leaves a kilobyte that is never freed. */
const kept: number[][] = [];
const emit = Server.prototype.emit;
Server.prototype.emit = function (this: Server, name: string | symbol, ...args: unknown[]): boolean {
  if (name === "request") kept.push(Array.from({ length: 128 }, () => Math.random()));
  return Reflect.apply(emit, this, [name, ...args]);
};
