// Moves the wall clock of a program by the milliseconds in the file that LEDGE_MOVED_CLOCK names. The time that passes is real.
const {readFileSync} = require('node:fs');

const RealDate = Date;
const file = process.env.LEDGE_MOVED_CLOCK;

const moved = () => {
	try {
		return Number(readFileSync(file, 'utf8')) || 0;
	} catch {
		return 0;
	}
};

let offset = moved();
setInterval(() => {
	offset = moved();
}, 50).unref();

globalThis.Date = class extends RealDate {
	constructor(...parts) {
		if (parts.length === 0) super(RealDate.now() + offset);
		else super(...parts);
	}

	static now() {
		return RealDate.now() + offset;
	}
};
