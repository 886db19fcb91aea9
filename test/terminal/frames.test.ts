import {Terminal} from '@xterm/headless';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {shortened} from '../../source/terminal/frames.ts';

test('moves to the next line are said in one', () => {
	expect(shortened('\u001b[2Aa\u001b[E\u001b[E\u001b[Eb\u001b[Ec')).toBe('\u001b[2Aa\u001b[3Eb\u001b[Ec');
});

test('the screen comes out the same', async () => {
	const piece = fc.oneof(
		fc.constant('\u001b[E'),
		fc.constantFrom('\u001b[3A', '\u001b[5G', 'text', '\r\n', '\u001b[K'),
	);
	const drawn = (frame: string) =>
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
			expect(await drawn(shortened(frame))).toBe(await drawn(frame));
		}),
		{numRuns: 50},
	);
});
