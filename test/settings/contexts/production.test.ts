import {describe, expect, test} from 'vitest';
import type {Context, ContextsFile} from '../../../source/settings/contexts/context.ts';
import {findPossibleProduction, findProductionContext} from '../../../source/settings/contexts/production.ts';
import {createActiveContext} from '../support/sources.ts';

const createContext = (name: string, fields: Partial<Context>): Context => ({
	name,
	line: 1,
	production: true,
	...fields,
});
const allContexts = [
	createContext('account', {accountId: 'a'}),
	createContext('zone', {zone: 'Shop.example'}),
	createContext('id', {zone: 'zone-id'}),
	createContext('bare', {}),
	createContext('test', {accountId: 't', production: false}),
];
const contextsFile: ContextsFile = {file: '/c', bytes: Buffer.from(''), all: allContexts};
const getActiveContext = (name: string | undefined) => {
	const found = allContexts.find(one => one.name === name);
	return found && createActiveContext(found);
};
const shopZone = {id: 'other-id', name: 'shop.example'};
const otherZone = {id: 'x', name: 'x.example'};

test.each([
	['its account, without an active context', undefined, {accountId: 'a'}, 'account'],
	['its account, although another context is active', 'test', {accountId: 'a'}, 'account'],
	['the name of its zone, in any case', undefined, {accountId: 'x', zone: shopZone}, 'zone'],
	['the id of its zone', 'test', {zone: {id: 'zone-id', name: 'x.example'}}, 'id'],
	['the active context, if no account is known', 'account', {}, 'account'],
	['the active context, which has no account', 'bare', {accountId: 'x', zone: otherZone}, 'bare'],
	['the active context before another', 'bare', {accountId: 'a'}, 'bare'],
	['the active context, although another account was chosen', 'account', {accountId: 't'}, 'account'],
	['the active context before the zone of another', 'account', {accountId: 'x', zone: shopZone}, 'account'],
	['none for another account', undefined, {accountId: 'x', zone: otherZone}, undefined],
	['none for the account of a context that is not production', 'test', {accountId: 't'}, undefined],
	['none if nothing is known', undefined, {}, undefined],
])('production: %s', (_, activeName, accountAndZone, name) => {
	expect(
		findProductionContext({contextsFile, active: getActiveContext(activeName)}, accountAndZone)?.name,
	).toBe(name);
});

test.each([
	['a zone of an unknown account', undefined, {zone: otherZone}, 'account'],
	['none with an active context, because its credential decides', 'test', {zone: otherZone}, undefined],
	['none for a zone of a known account', undefined, {accountId: 'x', zone: otherZone}, undefined],
	['none without a zone', undefined, {}, undefined],
])('possible production: %s', (_, activeName, accountAndZone, name) => {
	expect(
		findPossibleProduction({contextsFile, active: getActiveContext(activeName)}, accountAndZone)?.name,
	).toBe(name);
});

describe('without a file', () => {
	test('nothing is production', () => {
		expect(
			findProductionContext({contextsFile: undefined, active: undefined}, {accountId: 'a'}),
		).toBeUndefined();
	});
});
