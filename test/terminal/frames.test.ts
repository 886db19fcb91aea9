import {Terminal} from '@xterm/headless';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {shortenFrame, toAscii} from '../../source/terminal/frames.ts';
import {getRunCount} from '../support/full.ts';

test('consecutive moves to the next line are merged into one', () => {
	expect(shortenFrame('\u001b[2Aa\u001b[E\u001b[E\u001b[Eb\u001b[Ec')).toBe('\u001b[2Aa\u001b[3Eb\u001b[Ec');
});

test('a shortened frame looks the same on the screen', async () => {
	const piece = fc.oneof(
		fc.constant('\u001b[E'),
		fc.constantFrom('\u001b[3A', '\u001b[5G', 'text', '\r\n', '\u001b[K'),
	);
	const readScreen = (frame: string) =>
		new Promise<string>(done => {
			const terminal = new Terminal({cols: 20, rows: 10, allowProposedApi: true});
			terminal.write(frame, () => {
				const {active} = terminal.buffer;
				const lines = Array.from({length: 10}, (_, row) =>
					active.getLine(active.baseY + row)?.translateToString(),
				);
				done([...lines, active.cursorX, active.cursorY].join('\n'));
			});
		});
	await fc.assert(
		fc.asyncProperty(fc.array(piece, {maxLength: 40}), async pieces => {
			const frame = pieces.join('');
			expect(await readScreen(shortenFrame(frame))).toBe(await readScreen(frame));
		}),
		{numRuns: getRunCount(50)},
	);
});

test('styles without text are dropped', () => {
	expect(shortenFrame('\u001b[K\u001b[32m\u001b[39m\u001b[1m\u001b[31m\u001b[39m\u001b[22m\r\n')).toBe(
		'\u001b[K\r\n',
	);
	expect(shortenFrame('\u001b[K\u001b[2m\u001b[22m\u001b[1m\u001b[36mtext\u001b[39m\u001b[22m')).toBe(
		'\u001b[K\u001b[1m\u001b[36mtext\u001b[39m\u001b[22m',
	);
});

test('every character keeps its style', async () => {
	const styles = [
		['1', '22'],
		['2', '22'],
		['7', '27'],
		['31', '39'],
		['96', '39'],
	] as const;
	const piece = fc.record({look: fc.constantFrom(...styles), text: fc.constantFrom('', '', 'ab')});
	const readCells = (frame: string) =>
		new Promise<string>(done => {
			const terminal = new Terminal({cols: 40, rows: 2, allowProposedApi: true});
			terminal.write(frame, () => {
				const line = terminal.buffer.active.getLine(0);
				const cells = Array.from({length: 40}, (_, column) => {
					const cell = line?.getCell(column);
					return [cell?.getChars(), cell?.isBold(), cell?.isDim(), cell?.isInverse(), cell?.getFgColor()];
				});
				done(JSON.stringify(cells));
			});
		});
	await fc.assert(
		fc.asyncProperty(fc.array(piece, {maxLength: 8}), piece, async (row, around) => {
			const [on, off] = around.look;
			const inner = row.map(({look: [begin, end], text}) => `\u001b[${begin}m${text}\u001b[${end}m`).join('');
			const frame = `\u001b[1G\u001b[K\u001b[${on}m${around.text}\u001b[${off}m${inner}`;
			expect(await readCells(shortenFrame(frame))).toBe(await readCells(frame));
		}),
		{numRuns: getRunCount(100)},
	);
});

test('in ASCII, the symbols of ledge stay readable and other characters keep their width', () => {
	expect(toAscii('2 keys · a › b ≠ c…名é')).toBe('2 keys . a > b # c~???');
});
