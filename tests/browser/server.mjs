// Serves a folder below a path, as a plain static host does: no fallback page, no header that a host might not send.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};

/** Starts on a free port; `base` is the address of the folder, with its slash. */
export async function serve(folder, path) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const name = normalize(pathname.slice(path.length) || "index.html");
    try {
      if (!pathname.startsWith(path) || name.startsWith("..")) throw new Error("outside of the folder");
      const body = await readFile(join(folder, name));
      response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    base: `http://127.0.0.1:${server.address().port}${path}`,
    stop: () =>
      new Promise((stopped) => {
        server.close(stopped);
        server.closeAllConnections();
      }),
  };
}
