import Fastify from "fastify";

// The yardstick: a route that answers a constant, as fast as Fastify can.
const app = Fastify();
app.get("/", async () => ({ status: "ok" }));
const address = await app.listen({ host: "127.0.0.1", port: 0 });
process.send?.(address);
