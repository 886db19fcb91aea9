import {expect, test} from 'vitest';
import {toStorePlace, withPlaceName} from '../../source/session/write-place.ts';

const id = '0a1b2c3d4e5f60718293a4b5c6d7e8f9';
const store = {kind: 'remote', account: 'f', accountLabel: 'Acme', namespace: id} as const;
const byId = toStorePlace({...store, label: `Acme › ${id}`, title: id});

test.each(['CONFIG', 'Acme', 'a', id.slice(0, 4)])('a place found by its ID is also labelled %s', title => {
	expect(withPlaceName(title, byId).label).toBe(`${title} (Acme › ${id})`);
});

test('a place that already has the label is labelled once', () => {
	expect(withPlaceName(id, byId).label).toBe(byId.label);
	const byTitle = toStorePlace({...store, label: 'Acme › CONFIG', title: 'CONFIG'});
	expect(withPlaceName('CONFIG', byTitle).label).toBe('Acme › CONFIG');
	expect(withPlaceName('Acme › CONFIG', byTitle).label).toBe('Acme › CONFIG');
});
