// A TCP proxy in front of the server whose connections can be cut at any moment.
import { connect, createServer } from "node:net";

export async function startCutProxy(target) {
  const { hostname, port } = new URL(target);
  const sockets = new Set();
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.pipe(server).pipe(client);
  });
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    base: `http://127.0.0.1:${proxy.address().port}`,
    cut,
    stop() {
      cut();
      proxy.close();
    },
  };
}
