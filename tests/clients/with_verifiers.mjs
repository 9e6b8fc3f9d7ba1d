// aws-jwt-verify and jose check the server's tokens by its published keys, and refuse what is not one of them.
import assert from "node:assert/strict";
import { JwtVerifier } from "aws-jwt-verify";
import { JwtInvalidAudienceError, JwtInvalidSignatureError } from "aws-jwt-verify/error";
import { SimpleJwksCache } from "aws-jwt-verify/jwk";
import * as jose from "jose";
import { over } from "./talk.mjs";

const { issuer, client, uid, access, id } = JSON.parse(process.argv[2]);
const jwksUri = `${issuer}/.well-known/jwks.json`;

// Its own way to the keys wants TLS.
const fetcher = { fetch: async (uri) => Buffer.from(await (await fetch(uri)).arrayBuffer()) };
const verifier = (audience) => JwtVerifier.create({ issuer, audience, jwksUri }, { jwksCache: new SimpleJwksCache({ fetcher }) });
const claims = await verifier(null).verify(access);
assert.deepEqual([claims.sub, claims.token_use, claims.client_id, claims.scope], [uid, "access", client, "aws.cognito.signin.user.admin"]);
assert.equal((await verifier(client).verify(id)).token_use, "id");
await assert.rejects(verifier("another").verify(id), JwtInvalidAudienceError);
const cut = `${access.slice(0, -8)}AAAAAAAA`;
await assert.rejects(verifier(null).verify(cut), JwtInvalidSignatureError);

const keys = jose.createRemoteJWKSet(new URL(jwksUri));
const read = await jose.jwtVerify(access, keys, { issuer, algorithms: ["RS256"], typ: "JWT", requiredClaims: ["origin_jti", "event_id", "jti"] });
assert.equal(read.protectedHeader.alg, "RS256");
const told = await jose.jwtVerify(id, keys, { issuer, audience: client, subject: uid, requiredClaims: ["auth_time", "cognito:username"] });
assert.equal(told.payload.email_verified, true);
await assert.rejects(jose.jwtVerify(cut, keys, { issuer }), { code: "ERR_JWS_SIGNATURE_VERIFICATION_FAILED" });
await assert.rejects(jose.jwtVerify(id, keys, { issuer, audience: "another" }), { code: "ERR_JWT_CLAIM_VALIDATION_FAILED" });
over();
