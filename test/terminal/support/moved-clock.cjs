// The wall clock of a program: the file that LEDGE_MOVED_CLOCK names has the time, in milliseconds since the epoch, from
// which it goes on. Whenever that changes, it is that time. SIGUSR2 moves it by three hours.
// With LEDGE_CLOCK_STANDS no other time passes.
const {readFileSync} = require('node:fs');

const RealDate = Date;
const file = process.env.LEDGE_MOVED_CLOCK;

let begins = '';
let since = 0;
let moved = 0;
process.on('SIGUSR2', () => {
	moved += 3 * 3_600_000;
});

function now() {
	const text = readFileSync(file, 'utf8');
	if (text !== '' && text !== begins) {
		begins = text;
		since = RealDate.now();
	}
	const passed = process.env.LEDGE_CLOCK_STANDS ? 0 : RealDate.now() - since;
	return Number(begins) + moved + passed;
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
