import {describe, expect, test} from 'vitest';
import {findNews, spokenTheme, toSpokenLines} from '../../source/components/spoken.ts';

const {marks} = spokenTheme;
const readAloud = (before: readonly string[], after: readonly string[]) =>
	findNews(toSpokenLines(before.join('\n')), toSpokenLines(after.join('\n')));

describe('the text read aloud from a frame', () => {
	test('covers a new screen completely, and introduces the cursor line', () => {
		const frame = ['ledge', '', ` ${marks.current} CONFIG      f406ca27   1 of 2`, '   ──────────', ' ready'];
		expect(readAloud([], frame)).toEqual(['ledge', 'cursor on CONFIG, f406ca27, 1 of 2', 'ready']);
	});

	test('covers only new lines on the same screen', () => {
		const before = ['ledge', ` ${marks.current} one`, '   two', ' ready'];
		expect(readAloud(before, before)).toEqual([]);
		expect(readAloud(before, ['ledge', '   one', ` ${marks.current} two`, ' ready'])).toEqual(['two']);
		expect(readAloud(before, ['ledge', ` ${marks.current} one`, '   two', ` ${marks.failed} gone`])).toEqual([
			'failed gone',
		]);
	});

	test('leaves out passing seconds but not other numbers', () => {
		const createFrame = (status: string) => ['ledge', ` ${status}`];
		expect(readAloud(createFrame('reading…   2 s'), createFrame('reading…   3 s'))).toEqual([]);
		expect(readAloud(createFrame('12 of 40 keys'), createFrame('13 of 40 keys'))).toEqual(['13 of 40 keys']);
	});

	test('replaces every mark with a word or nothing', () => {
		for (const mark of Object.values(marks).flat())
			expect(toSpokenLines(`ledge ${mark} x`)[0]?.text).toMatch(/^[\x20-\x7e]+$/);
	});
});
