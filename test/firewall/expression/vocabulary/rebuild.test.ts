import {expect, test} from 'vitest';
import {formatFieldTable, rebuild} from './rebuild.ts';

const listed = [
	{name: 'ip.src', type: 'IP'},
	{name: 'ip.src.city', type: 'String', plan: 'pro'},
	{name: 'ip.geoip.city', type: 'String', deprecated: true, replacement: 'ip.src.city'},
	{name: 'cf.bot.score', type: 'Integer', plan: 'enterprise add-on'},
	{name: 'cf.zone.name', type: 'String', scope: 'account rulesets and the listed rules'},
];
const changes = [
	{name: 'ip.src.zone', type: 'String', phases: ['http_ratelimit'], phases_exclusive: true},
	{
		name: 'cf.bot.score',
		type: 'Integer',
		plan: 'enterprise',
		phases: ['http_ratelimit'],
		phases_exclusive: false,
	},
	{name: 'cf.kind', type: 'unknown', plan: 'early access', values: ['a', 'b'], mark: '?'},
];
const previous = {
	date: '2026-01-01',
	fields: [
		{name: 'ip.src', type: 'IP', about: 'IP address of the client'},
		{name: 'cf.gone', type: 'String', about: 'in neither list'},
		{name: 'ip.src.city', type: 'Integer', about: 'city', domain: {case: 'lower' as const}},
		{name: 'cf.kind', about: 'kind', domain: {extra: ['c']}},
	],
};

test('the table is built from both lists, and keeps its order, descriptions and domains', () => {
	const {table, undescribedNames, dropped} = rebuild(previous, listed, changes, '2026-10-10');
	expect(table).toEqual({
		date: '2026-10-10',
		fields: [
			{name: 'ip.src', type: 'IP', about: 'IP address of the client'},
			{name: 'ip.src.city', type: 'String', about: 'city', plan: 'pro', domain: {case: 'lower'}},
			{name: 'ip.src.zone', type: 'String', about: '', phases: ['http_ratelimit'], exclusive: true},
			{name: 'ip.geoip.city', type: 'String', about: '', plan: 'pro', replacement: 'ip.src.city'},
			{
				name: 'cf.kind',
				about: 'kind',
				earlyAccess: true,
				unclear: true,
				domain: {extra: ['c'], enum: ['a', 'b']},
			},
			{name: 'cf.bot.score', type: 'Integer', about: '', plan: 'enterprise', phases: ['http_ratelimit']},
			{name: 'cf.zone.name', type: 'String', about: '', scope: 'account rulesets'},
		],
	});
	expect(undescribedNames).toEqual(['ip.src.zone', 'ip.geoip.city', 'cf.bot.score', 'cf.zone.name']);
	expect(dropped).toEqual(['cf.gone']);
});

test('the same lists give the same table, with one field per line in the file', () => {
	const {table} = rebuild(previous, listed, changes, '2026-10-10');
	expect(rebuild(table, listed, changes, '2026-10-10').table).toEqual(table);
	expect(formatFieldTable(table).split('\n')).toHaveLength(table.fields.length + 3);
	expect(JSON.parse(formatFieldTable(table))).toEqual(table);
});

test('an unknown plan or scope stops the update', () => {
	for (const unknownSetting of [{plan: 'platinum'}, {scope: 'elsewhere'}])
		expect(() =>
			rebuild(previous, [{name: 'a', type: 'String', ...unknownSetting}], [], '2026-10-10'),
		).toThrow(RangeError);
});
