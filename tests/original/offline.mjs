// Loaded before an original tool and inherited by every Node.js process below it: no socket leaves this machine.
import net from "node:net";

const HERE = ["127.0.0.1", "::1", "localhost"];
const connect = net.Socket.prototype.connect;

net.Socket.prototype.connect = function (...given) {
  const [options] = Array.isArray(given[0]) ? given[0] : given;
  const host = options?.path ? HERE[0] : (options?.host ?? HERE[0]);
  if (!HERE.includes(host)) throw new Error(`tests keep this tool from the network; it wanted ${host}`);
  return connect.apply(this, given);
};
