import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {buildCopySequence, maxClipboardBytes} from '../../source/terminal/clipboard.ts';

const sequenceOf = (text: string, env: NodeJS.ProcessEnv = {}): string => {
	const copy = buildCopySequence(text, env);
	return 'sequence' in copy ? copy.sequence : `too large: ${copy.tooLarge}`;
};

describe('copying to the terminal clipboard', () => {
	test('sends the text in base64 and nothing else', () => {
		expect(sequenceOf('name: Ada')).toBe('\u001b]52;c;bmFtZTogQWRh\u0007');
	});

	test('preserves any text and never sends it unencoded', () => {
		fc.assert(
			fc.property(
				fc.string({unit: 'binary', maxLength: 200}).filter(text => text.isWellFormed()),
				text => {
					const [, base64 = ''] = /^\u001b\]52;c;([A-Za-z0-9+/=]*)\u0007$/.exec(sequenceOf(text)) ?? [];
					expect(Buffer.from(base64, 'base64').toString('utf8')).toBe(text);
				},
			),
		);
	});

	test('inside tmux addresses both tmux and the outer terminal', () => {
		expect(sequenceOf('a', {TMUX: '/tmp/tmux-0/default,1,0'})).toBe(
			'\u001b]52;c;YQ==\u0007\u001bPtmux;\u001b\u001b]52;c;YQ==\u0007\u001b\\',
		);
		expect(sequenceOf('a', {TMUX: ''})).toBe('\u001b]52;c;YQ==\u0007');
	});

	test('accepts up to 74,000 bytes of UTF-8, and reports the size of anything longer', () => {
		const largestText = 'é'.repeat(maxClipboardBytes / 2);
		expect(sequenceOf(largestText).length).toBeLessThan(100_000);
		expect(buildCopySequence(`${largestText}x`, {})).toEqual({tooLarge: 74_001});
	});
});
