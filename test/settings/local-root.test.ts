import {expect, test} from 'vitest';
import {resolveLocalRoot} from '../../source/settings/local-root.ts';

test.each([
	{persistTo: 'data', configurationFile: '/p/wrangler.toml', root: '/p/sub/data/v3'},
	{persistTo: '/else/where', configurationFile: undefined, root: '/else/where/v3'},
	{persistTo: '', configurationFile: undefined, root: '/p/sub/v3'},
	{persistTo: undefined, configurationFile: '/p/wrangler.toml', root: '/p/.wrangler/state/v3'},
	{persistTo: undefined, configurationFile: undefined, root: '/p/sub/.wrangler/state/v3'},
])('keeps local data in $root (--persist-to $persistTo, configuration $configurationFile)', one => {
	const {persistTo, configurationFile, root} = one;
	expect(resolveLocalRoot({cwd: '/p/sub', persistTo, configurationFile}).value).toBe(root);
});
