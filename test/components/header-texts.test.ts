import fc from 'fast-check';
import {expect, test} from 'vitest';
import {fitHeader} from '../../source/components/header-texts.ts';
import {getTheme} from '../../source/components/theme.ts';

const {marks} = getTheme('none', true);
const part = fc.stringMatching(/^[a-z0-9:.-]{1,30}$/);

test('every part of the path that is shown in full can be found by its columns, and no other', () => {
	fc.assert(
		fc.property(
			fc.array(part, {minLength: 1, maxLength: 5}),
			fc.nat(4),
			fc.integer({min: 30, max: 160}),
			(path, targetIndex, columns) => {
				const target = path[targetIndex];
				const content = {path, target, name: 'Acme', badges: ['REMOTE'], columns};
				const {pathText, pathSpans} = fitHeader(content, marks);
				for (const {index, from, to} of pathSpans) expect(pathText.slice(from, to)).toBe(path[index]);
				const wholePath = ` ${path.join(` ${marks.level} `)}`;
				if (pathText === wholePath) expect(pathSpans.map(({index}) => index)).toEqual([...path.keys()]);
			},
		),
	);
});
