import {expect, test} from 'vitest';
import {buildRecreationPart} from '../../../source/migration/report/recreation-part.ts';
import {buildBareSnapshot} from '../../support/snapshot.ts';

test.each([
	['shop.example/*', '*://shop.example/*'],
	['https://shop.example/*', 'https://shop.example/*'],
	['*://shop.example/**', '*://shop.example/*'],
	['shop.example/"a"', String.raw`*://shop.example/\"a\"`],
])('the override URL %j is tested as %j', (url, pattern) => {
	const text = buildRecreationPart(
		buildBareSnapshot({}),
		[],
		[{id: 'o1', urls: [url], rules: {a1: 'disable'}}],
	).join('\n');
	expect(text).toContain(`http.request.full_uri wildcard "${pattern}"`);
});
