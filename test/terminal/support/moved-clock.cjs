// The wall clock of a program: the file that LEDGE_MOVED_CLOCK names has the time, in milliseconds since the epoch, from
// which it goes on. Whenever that changes, it is that time.
const {readFileSync} = require('node:fs');

const RealDate = Date;
const file = process.env.LEDGE_MOVED_CLOCK;

let begins = '';
let since = 0;

function now() {
	const text = readFileSync(file, 'utf8');
	if (text !== '' && text !== begins) {
		begins = text;
		since = RealDate.now();
	}
	return Number(begins) + RealDate.now() - since;
}

globalThis.Date = class extends RealDate {
	constructor(...parts) {
		if (parts.length === 0) super(now());
		else super(...parts);
	}

	static now() {
		return now();
	}
};
