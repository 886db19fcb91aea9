import {expect, test} from 'vitest';
import {isRealPlace} from '../../source/migration/journal/folder.ts';
import {getPlaceWithWorld} from '../../source/session/place.ts';

const client = {baseUrl: 'https://api.example.test/client/v4'};
const getPlace = (state: string | undefined, {simulated = true, cwd = '/home/ada'} = {}) =>
	getPlaceWithWorld({simulated, cwd, options: state === undefined ? {} : {state}}, client);

test('a migration of a real service is stored under its origin', () => {
	expect(getPlace(undefined, {simulated: false})).toBe('https://api.example.test');
	expect(isRealPlace({place: getPlace(undefined, {simulated: false})})).toBe(true);
});

test('each simulated world is its own place, wherever ledge is started', () => {
	const places = [undefined, 'one.sqlite', 'two.sqlite', ':memory:'].map(state => getPlace(state));
	expect(new Set(places).size).toBe(4);
	expect(places[0]).toBe('simulated');
	expect(getPlace('../ada/one.sqlite', {cwd: '/home/bob'})).toBe(places[1]);
	for (const place of places) expect(isRealPlace({place})).toBe(false);
});
