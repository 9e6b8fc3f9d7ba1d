// The server's own Postgres, over the socket in its data directory: it makes a night pass at once.
import { connect, type Socket } from "node:net";
import { join } from "node:path";

const VERSION = 3 << 16;
const HEAD_BYTES = 5;

/** A message of its protocol: a type (none at the beginning), its length, what it says. */
function message(type: string, said: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(said.length + length.length);
  return Buffer.concat([Buffer.from(type), length, said]);
}

function hello(): Buffer {
  const version = Buffer.alloc(4);
  version.writeInt32BE(VERSION);
  return message("", Buffer.concat([version, Buffer.from("user\0goodturn\0database\0postgres\0\0")]));
}

/** The columns of a row, as text. */
function columnsOf(said: Buffer): string[] {
  const columns: string[] = [];
  for (let at = 2; at < said.length;) {
    const length = said.readInt32BE(at);
    columns.push(length < 0 ? "" : said.toString("utf8", at + 4, at + 4 + length));
    at += 4 + Math.max(length, 0);
  }
  return columns;
}

async function* messagesOf(socket: Socket): AsyncGenerator<[string, Buffer]> {
  let left = Buffer.alloc(0);
  for await (const part of socket as AsyncIterable<Buffer>) {
    left = Buffer.concat([left, part]);
    while (left.length >= HEAD_BYTES && left.length > left.readInt32BE(1)) {
      const end = 1 + left.readInt32BE(1);
      yield [left.toString("latin1", 0, 1), left.subarray(HEAD_BYTES, end)];
      left = left.subarray(end);
    }
  }
}

/** The rows that a statement returns. */
export async function sql(statement: string): Promise<readonly string[][]> {
  const socket = connect(join(process.env["GOODTURN_DATA_DIR"] ?? "", "postgres", "s", ".s.PGSQL.5432"));
  const rows: string[][] = [];
  let isAsked = false;
  socket.write(hello());
  try {
    for await (const [type, said] of messagesOf(socket)) {
      if (type === "E") throw new Error(said.toString().replaceAll("\0", " "));
      if (type === "D") rows.push(columnsOf(said));
      if (type !== "Z") continue;
      if (isAsked) return rows;
      isAsked = true;
      socket.write(message("Q", Buffer.from(`${statement}\0`)));
    }
  } finally {
    socket.destroy();
  }
  throw new Error("Postgres has closed the connection");
}
