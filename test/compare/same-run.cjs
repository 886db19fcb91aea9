// Loaded before the program: its wall clock stands at the same moment, and all that is random is the same each time.
const crypto = require('node:crypto');
const {syncBuiltinESMExports} = require('node:module');

const RealDate = Date;
const now = () => RealDate.UTC(2026, 10, 21, 3, 10);

globalThis.Date = class extends RealDate {
	constructor(...parts) {
		if (parts.length === 0) super(now());
		else super(...parts);
	}

	static now() {
		return now();
	}
};

let made = 0;
const next = size => crypto.createHash('shake256', {outputLength: size}).update(String(++made)).digest();

crypto.randomBytes = (size, done) => (done ? setImmediate(done, null, next(size)) : next(size));
crypto.randomUUID = () =>
	next(16)
		.toString('hex')
		.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
crypto.randomInt = (...limits) => {
	const [low, high] = limits.length > 1 ? limits : [0, ...limits];
	return low + (next(6).readUIntBE(0, 6) % (high - low));
};
Math.random = () => next(4).readUInt32BE() / 2 ** 32;
syncBuiltinESMExports();
