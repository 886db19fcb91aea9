import {expect, test} from 'vitest';
import {type BindingPlace, listBindingPlaces} from '../../source/settings/binding-places.ts';

const format = ({where, entry, id, readBy}: BindingPlace) => `${where} ${entry} ${id}: ${readBy.join(', ')}`;

test.each([
	[
		{id: 'p', previewId: 'v'},
		[
			'service id p: deployed',
			'service preview_id v: dev --remote',
			'local id p: ',
			'local preview_id v: dev',
		],
	],
	[{id: 'p'}, ['service id p: deployed', 'local id p: dev']],
	[{previewId: 'v'}, ['service preview_id v: dev --remote', 'local preview_id v: dev']],
	[{}, ['local binding KV: dev']],
	[{id: 'p', previewId: 'p'}, ['service id p: deployed, dev --remote', 'local id p: dev']],
	[{id: 'p', remote: true}, ['service id p: deployed, dev', 'local id p: ']],
	[
		{id: 'p', previewId: 'v', remote: true},
		[
			'service id p: deployed',
			'service preview_id v: dev, dev --remote',
			'local id p: ',
			'local preview_id v: ',
		],
	],
])('a binding with %j means', (ids, places) => {
	expect(listBindingPlaces({binding: 'KV', line: 1, ...ids}).map(format)).toEqual(places);
});
