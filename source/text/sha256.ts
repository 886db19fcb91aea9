/** The first 32 bits of the fractional part of a root, as FIPS 180-4 defines its constants. */
const getFractionBits = (root: number): number => ((root % 1) * 0x1_0000_0000) | 0;

const primes: number[] = [];
for (let candidate = 2; primes.length < 64; candidate++)
	if (primes.every(prime => candidate % prime !== 0)) primes.push(candidate);

const roundConstants = Int32Array.from(primes, prime => getFractionBits(Math.cbrt(prime)));
const initialState = Int32Array.from(primes.slice(0, 8), prime => getFractionBits(Math.sqrt(prime)));

const rotateRight = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/**
 * Computes SHA-256 of a few bytes (FIPS 180-4). Avoids `node:crypto`, which takes 6 ms to load, a fifth of a
 * command's budget, when reads only need it for the name of a database.
 */
export function computeSha256(message: Uint8Array): Buffer {
	return computeDigest(initialState, 0, message);
}

/** Creates HMAC-SHA256 with a key of at most 64 bytes (RFC 2104). Absorbs the key once for many messages. */
export function createHmac(key: Uint8Array): (message: Uint8Array) => Buffer {
	const absorbKey = (mask: number): Int32Array => {
		const block = Buffer.alloc(blockSize, mask);
		for (const [index, byte] of key.entries()) block[index] = byte ^ mask;
		const state = initialState.slice();
		absorb(state, block, 0);
		return state;
	};
	const [inner, outer] = [absorbKey(0x36), absorbKey(0x5c)];
	return message => computeDigest(outer, blockSize, computeDigest(inner, blockSize, message));
}

const blockSize = 64;

/**
 * Finishes the digest of a message after `length` bytes, a multiple of the block size, that led to
 * `startState`.
 */
function computeDigest(startState: Int32Array, length: number, message: Uint8Array): Buffer {
	const padded = Buffer.alloc(Math.ceil((message.length + 9) / blockSize) * blockSize);
	padded.set(message);
	padded[message.length] = 0x80;
	padded.writeUInt32BE((length + message.length) * 8, padded.length - 4);
	const state = startState.slice();
	for (let start = 0; start < padded.length; start += blockSize) absorb(state, padded, start);
	const digest = Buffer.alloc(32);
	for (let index = 0; index < state.length; index++) digest.writeInt32BE(state[index] ?? 0, index * 4);
	return digest;
}

/** Absorbs one block of 64 bytes into the state; names as in FIPS 180-4, 6.2.2. */
function absorb(state: Int32Array, bytes: Buffer, start: number): void {
	const schedule = buildSchedule(bytes, start);
	let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
	for (let t = 0; t < 64; t++) {
		const sum1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
		const temp1 = h + sum1 + ((e & f) ^ (~e & g)) + (roundConstants[t] ?? 0) + (schedule[t] ?? 0);
		const sum0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
		const temp2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
		h = g;
		g = f;
		f = e;
		e = (d + temp1) | 0;
		d = c;
		c = b;
		b = a;
		a = (temp1 + temp2) | 0;
	}
	const sums = [a, b, c, d, e, f, g, h];
	for (let index = 0; index < sums.length; index++) state[index] = (state[index] ?? 0) + (sums[index] ?? 0);
}

/** The schedule of the current block. */
const scheduleWords = new Int32Array(64);

/** Expands a block of 16 words to 64. */
function buildSchedule(bytes: Buffer, start: number): Int32Array {
	for (let t = 0; t < 16; t++) scheduleWords[t] = bytes.readInt32BE(start + t * 4);
	for (let t = 16; t < 64; t++) {
		const word15 = scheduleWords[t - 15] ?? 0;
		const word2 = scheduleWords[t - 2] ?? 0;
		const sigma0 = rotateRight(word15, 7) ^ rotateRight(word15, 18) ^ (word15 >>> 3);
		const sigma1 = rotateRight(word2, 17) ^ rotateRight(word2, 19) ^ (word2 >>> 10);
		scheduleWords[t] = sigma1 + (scheduleWords[t - 7] ?? 0) + sigma0 + (scheduleWords[t - 16] ?? 0);
	}
	return scheduleWords;
}
