import {describe, expect, test} from 'vitest';
import type {Context, ContextsFile} from '../../../source/settings/contexts/context.ts';
import {findPossibleProduction, findProductionContext} from '../../../source/settings/contexts/production.ts';
import {inUse} from '../support/sources.ts';

const context = (name: string, fields: Partial<Context>): Context => ({
	name,
	line: 1,
	production: true,
	...fields,
});
const all = [
	context('account', {accountId: 'a'}),
	context('zone', {zone: 'Shop.example'}),
	context('id', {zone: 'zone-id'}),
	context('bare', {}),
	context('test', {accountId: 't', production: false}),
];
const contextsFile: ContextsFile = {file: '/c', bytes: Buffer.from(''), all};
const named = (name: string | undefined) => {
	const found = all.find(one => one.name === name);
	return found && inUse(found);
};
const shop = {id: 'other-id', name: 'shop.example'};
const other = {id: 'x', name: 'x.example'};

test.each([
	['its account, whatever is in force', undefined, {accountId: 'a'}, 'account'],
	['its account, beside another context', 'test', {accountId: 'a'}, 'account'],
	['the name of its zone, in any case', undefined, {accountId: 'x', zone: shop}, 'zone'],
	['the id of its zone', 'test', {zone: {id: 'zone-id', name: 'x.example'}}, 'id'],
	['it is in force, and nothing says an account', 'account', {}, 'account'],
	['it is in force and says no account', 'bare', {accountId: 'x', zone: other}, 'bare'],
	['the one in force before another', 'bare', {accountId: 'a'}, 'bare'],
	['it is in force, and another account was chosen', 'account', {accountId: 't'}, 'account'],
	['it is in force, before the zone of another', 'account', {accountId: 'x', zone: shop}, 'account'],
	['another account', undefined, {accountId: 'x', zone: other}, undefined],
	['a context that is no production', 'test', {accountId: 't'}, undefined],
	['nothing is known', undefined, {}, undefined],
])('production: %s', (_, inForce, place, name) => {
	expect(findProductionContext({contextsFile, active: named(inForce)}, place)?.name).toBe(name);
});

test.each([
	['a zone of an unknown account', undefined, {zone: other}, 'account'],
	['where a context was chosen, its credential decides', 'test', {zone: other}, undefined],
	['a zone of a known account', undefined, {accountId: 'x', zone: other}, undefined],
	['no zone at all', undefined, {}, undefined],
])('possible production: %s', (_, inForce, place, name) => {
	expect(findPossibleProduction({contextsFile, active: named(inForce)}, place)?.name).toBe(name);
});

describe('without a file', () => {
	test('nothing is production', () => {
		expect(
			findProductionContext({contextsFile: undefined, active: undefined}, {accountId: 'a'}),
		).toBeUndefined();
	});
});
