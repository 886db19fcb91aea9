import {describe, expect, test} from 'vitest';
import {findNews, spokenTheme, toSpokenLines} from '../../source/components/spoken.ts';

const {marks} = spokenTheme;
const read = (before: readonly string[], after: readonly string[]) =>
	findNews(toSpokenLines(before.join('\n')), toSpokenLines(after.join('\n')));

describe('the text read aloud from a frame', () => {
	test('covers a new screen completely, and introduces the cursor line', () => {
		const frame = ['ledge', '', ` ${marks.current} CONFIG      f406ca27   1 of 2`, '   ──────────', ' ready'];
		expect(read([], frame)).toEqual(['ledge', 'cursor on CONFIG, f406ca27, 1 of 2', 'ready']);
	});

	test('covers only new lines on the same screen', () => {
		const before = ['ledge', ` ${marks.current} one`, '   two', ' ready'];
		expect(read(before, before)).toEqual([]);
		expect(read(before, ['ledge', '   one', ` ${marks.current} two`, ' ready'])).toEqual(['two']);
		expect(read(before, ['ledge', ` ${marks.current} one`, '   two', ` ${marks.failed} gone`])).toEqual([
			'failed gone',
		]);
	});

	test('leaves out passing seconds but not other numbers', () => {
		const at = (status: string) => ['ledge', ` ${status}`];
		expect(read(at('reading…   2 s'), at('reading…   3 s'))).toEqual([]);
		expect(read(at('12 of 40 keys'), at('13 of 40 keys'))).toEqual(['13 of 40 keys']);
	});

	test('replaces every mark with a word or nothing', () => {
		for (const mark of Object.values(marks).flat())
			expect(toSpokenLines(`ledge ${mark} x`)[0]?.text).toMatch(/^[\x20-\x7e]+$/);
	});
});
