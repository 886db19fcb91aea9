import {describe, expect, test} from 'vitest';
import {getGroupsPath, getOverridePath, getWafRulesPath} from '../../../source/migration/zone/paths.ts';
import {zone} from '../support/answers.ts';

describe('ids in paths', () => {
	test.each(['', '.', '..'])('"%s" is refused', id => {
		expect(() => getOverridePath(zone.id, id)).toThrow(expect.objectContaining({code: 'usage'}));
		expect(() => getOverridePath(id, 'o')).toThrow(expect.objectContaining({code: 'usage'}));
		expect(() => getGroupsPath(zone.id, id)).toThrow(expect.objectContaining({code: 'usage'}));
	});

	test.each([
		'../../../user',
		'a/b',
		'a?x=1',
		'a#b',
		'%2e%2e',
		'ü\u{1F600}',
		'\ud800',
	])('%o stays a single segment', id => {
		const url = new URL(`https://service.test${getWafRulesPath(zone.id, id)}`);
		expect(url.pathname.split('/')).toHaveLength(8);
		expect(url.search + url.hash).toBe('');
	});
});
