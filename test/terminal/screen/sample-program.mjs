// A small full-screen program by which the tests see whether the terminal of the tests is a faithful one.
import {writeFileSync, writeSync} from 'node:fs';

const names = ['first', 'second', 'third', 'fourth'];
const reads = [];
let selected = 0;

function draw() {
	const {columns, rows} = process.stdout;
	const list = names.map((name, row) => (row === selected ? ` ▸ \u001b[7m${name}\u001b[27m` : `   ${name}`));
	const lines = [
		'\u001b[1;31mbold red\u001b[0m \u001b[2mdim\u001b[0m \u001b[4munderlined\u001b[0m \u001b[38;5;208mpalette\u001b[0m \u001b[48;2;1;2;3mtrue\u001b[0m \u001b[92mbright\u001b[0m',
		...list,
		`size ${columns}×${rows}`,
		`reads ${JSON.stringify(reads)}`,
	];
	writeSync(1, `\u001b[?2026h\u001b[H\u001b[2J${lines.join('\n')}\u001b[?2026l`);
}

function leave(code) {
	writeSync(1, '\u001b[?2004l\u001b[?25h\u001b[?1049l');
	process.exit(code);
}

const answers = {
	j: () => selected++,
	k: () => selected--,
	'\u001b[B': () => selected++,
	'\u001b[A': () => selected--,
	q: () => leave(3),
	// What some programs do and none should: they ignore every polite way of being ended.
	h() {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
	},
	p: () => writeSync(1, '\u001b[6n'),
	w: () => writeSync(1, `\u001b[H\u001b[2J${'x'.repeat(process.stdout.columns + 5)}`),
	y: () => writeSync(1, `\u001b]52;c;${Buffer.from('größe').toString('base64')}\u0007`),
	u: () => writeSync(1, '\u001b[?2026h\u001b[H\u001b[2Jhalf a frame'),
	e: () =>
		process.stdout.write(`CI=${process.env.CI} NO_COLOR=${process.env.NO_COLOR} TERM=${process.env.TERM}`),
};

if (process.env.PID_FILE) writeFileSync(process.env.PID_FILE, String(process.pid));
process.stdin.setRawMode(true);
process.stdin.on('data', piece => {
	const bytes = piece.toString();
	reads.push(bytes);
	if ('pwyue'.includes(bytes)) return answers[bytes]();
	if (bytes.length > 1 && /^[jk]+$/.test(bytes)) for (const key of bytes) answers[key]();
	else answers[bytes]?.();
	draw();
});
process.stdout.on('resize', draw);
writeSync(1, '\u001b[?1049h\u001b[?25l\u001b[?2004h');
draw();
