// Checks what is claimed about random expressions of few fields: `node many-claims.ts [count] [seed]`, 100,000
// by default, each with 200 requests. No part may be called never or always true, or without effect, that is
// not for one of the requests, and 90 % of the expressions that have one result for all requests must be
// reported. Exits with 1 otherwise.
import {getTestSeed} from '../../../support/seed.ts';
import {checkClaims} from './check-claims.ts';

const count = Number(process.argv[2] ?? 100_000);
const seed = Number(process.argv[3] ?? getTestSeed());
const startTime = performance.now();
const {falseClaims, missed, constantCount, claimCount} = checkClaims(seed, count, 200);
const found = 1 - missed.length / Math.max(1, constantCount);
const seconds = (performance.now() - startTime) / 1000;
process.stdout.write(
	`${count} expressions (seed ${seed}) in ${seconds.toFixed(1)} s: ${claimCount} claims, ${falseClaims.length} wrong; ${(found * 100).toFixed(1)} % of ${constantCount} constant ones found\n`,
);
for (const text of falseClaims.slice(0, 10)) process.stdout.write(`wrong: ${text}\n`);
for (const text of missed.slice(0, 10)) process.stdout.write(`not found: ${text}\n`);
process.exitCode = falseClaims.length > 0 || found < 0.9 ? 1 : 0;
