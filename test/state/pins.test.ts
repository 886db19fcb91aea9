import {mkdtempSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {type Pin, readPins, storePins, togglePin} from '../../source/state/pins.ts';

const zone: Pin = {kind: 'zone', id: 'z', name: 'example.com'};
const prefix: Pin = {kind: 'namespace', where: 'remote', id: 'n', title: 'N', filter: '^user:'};
const namespace: Pin = {...prefix, filter: ''};

test('pins are kept in their order, private to the owner, until all are removed', () => {
	const folder = mkdtempSync(join(tmpdir(), 'ledge-'));
	onTestFinished(() => rmSync(folder, {recursive: true}));
	const environment = {LEDGE_STATE_DIR: folder};
	const pins = [zone, prefix, namespace].reduce(togglePin, []);
	storePins(environment, 'one', pins);
	expect(readPins(environment, 'one')).toEqual([zone, prefix, namespace]);
	expect(readPins(environment, 'two')).toEqual([]);
	const [file = ''] = readdirSync(folder);
	expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
	// What an entry of another version has is left out, not the others.
	writeFileSync(join(folder, file), JSON.stringify([{kind: 'list', id: 'x'}, null, {...zone, more: 1}]));
	expect(readPins(environment, 'one')).toEqual([zone]);
	writeFileSync(join(folder, file), '{');
	expect(readPins(environment, 'one')).toEqual([]);
	storePins(environment, 'one', []);
	expect(readdirSync(folder)).toEqual([]);
});

test('a pin is added at the end, and removed by the same', () => {
	expect([zone, prefix, {...zone, name: 'renamed.example'}].reduce(togglePin, [])).toEqual([prefix]);
});
