// The server's half of SRP, as in server/identity/srp.rs. It checks the browser's proofs in tests.
import { createHash, createHmac, randomBytes } from "node:crypto";

const N = BigInt(
  "0xFFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD" +
    "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED" +
    "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F" +
    "83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B" +
    "E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA0510" +
    "15728E5A8AAAC42DAD33170D04507A33A85521ABDF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7" +
    "ABF5AE8CDB0933D71E8C94E04A25619DCEE3D2261AD2EE6BF12FFA06D98A0864D87602733EC86A64521F2B18177B200C" +
    "BBE117577A615D6C770988C0BAD946E208E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF",
);
const G = 2n;
const SKEW_MS = 5 * 60_000;

function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, base % N];
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = (result * square) % N;
    square = (square * square) % N;
  }
  return result;
}

const sha256 = (...parts: (Buffer | string)[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const hmac = (key: Buffer, ...parts: (Buffer | string)[]): Buffer => {
  const mac = createHmac("sha256", key);
  for (const part of parts) mac.update(part);
  return mac.digest();
};
const numberOf = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString("hex")}`);

/** In the fewest bytes, with a zero in front where the number would be negative. */
function minimal(number: bigint): Buffer {
  const hex = number.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return Buffer.from(/^[89a-f]/.test(even) ? `00${even}` : even, "hex");
}

const K = numberOf(sha256(minimal(N), minimal(G)));

/** Whose secret is proved: `group` is the pool's name, or that of a device. */
export type Holder = { group: string; name: string; salt: bigint; verifier: bigint };

export function holderOf(group: string, name: string, secret: string): Holder {
  const salt = numberOf(randomBytes(15)) + 1n;
  const x = numberOf(sha256(minimal(salt), sha256(group, name, ":", secret)));
  return { group, name, salt, verifier: power(G, x) };
}

type Claim = { [name: string]: string };

/** What is asked of who sent A, and whether an answer proves the secret at a time of the server. */
export function challengeOf({ group, name, salt, verifier }: Holder, srpA: string) {
  const [a, b, block] = [BigInt(`0x${srpA}`), numberOf(randomBytes(32)), randomBytes(32)];
  const offer = (K * verifier + power(G, b)) % N;
  const u = sha256(minimal(a), minimal(offer));
  const shared = minimal(power(a * power(verifier, numberOf(u)), b));
  const key = hmac(hmac(minimal(numberOf(u)), shared), "Caldera Derived Key\u0001").subarray(0, 16);
  return {
    parameters: { SRP_B: offer.toString(16), SALT: salt.toString(16), SECRET_BLOCK: block.toString("base64") },
    isProved(claim: Claim, now_ms: number): boolean {
      const said = claim["TIMESTAMP"] ?? "";
      const proof = hmac(key, group, name, block, said).toString("base64");
      return Math.abs(Date.parse(said) - now_ms) <= SKEW_MS && proof === claim["PASSWORD_CLAIM_SIGNATURE"];
    },
  };
}
