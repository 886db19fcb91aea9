import {createHash} from 'node:crypto';
import type {JsonObject, JsonValue} from '../../text/json.ts';
import {getStoredListItems, getStoredLists, type ListItemKind} from '../lists/stored-lists.ts';
import type {Resources} from './resources.ts';

type SampleItem = {readonly value: JsonValue; readonly comment?: string};
type SampleList = {
	readonly name: string;
	readonly kind: ListItemKind;
	readonly description: string;
	readonly items: readonly SampleItem[];
};

const sampleTime = '2026-08-03T10:15:00Z';

const sampleLists: readonly SampleList[] = [
	{
		name: 'office',
		kind: 'ip',
		description: 'Offices and VPN',
		items: [
			{value: '203.0.113.0/24', comment: 'Berlin'},
			{value: '2001:db8:10::/48', comment: 'Berlin'},
			{value: '198.51.100.40', comment: 'VPN'},
		],
	},
	{
		name: 'blocklist',
		kind: 'ip',
		description: 'Blocked by hand',
		items: [
			{value: '192.0.2.7', comment: 'scanner, ticket 4711'},
			{value: '192.0.2.128/25', comment: 'login attempts'},
			{value: '2001:db8:bad::/64'},
		],
	},
	{
		name: 'proxies',
		kind: 'ip',
		description: 'Exit addresses of open proxies',
		items: Array.from({length: 1200}, (_, index) => ({value: `2001:db8:f::${(index + 1).toString(16)}`})),
	},
	{
		name: 'crawlers',
		kind: 'asn',
		description: 'Networks of crawlers',
		items: [{value: 64496}, {value: 64511}],
	},
	{
		name: 'internal_hosts',
		kind: 'hostname',
		description: '',
		items: [{value: {url_hostname: '*.internal.acme.example'}}],
	},
	{
		name: 'moved',
		kind: 'redirect',
		description: 'Old addresses',
		items: [
			{
				value: {
					source_url: 'acme.example/old',
					target_url: 'https://acme.example/new',
					status_code: 301,
				},
			},
		],
	},
];

const createStableId = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Writes the sample lists of an account, with stable ids. */
export function addListSamples(resources: Resources, account: string): void {
	const times = {created_on: sampleTime, modified_on: sampleTime};
	for (const {name, kind, description, items} of sampleLists) {
		const id = createStableId(`list ${name}`);
		getStoredLists({resources}, account).put({id, name, kind, description, ...times});
		for (const [index, {value, comment}] of items.entries()) {
			const item: JsonObject = {[kind]: value, ...(comment !== undefined && {comment}), ...times};
			getStoredListItems({resources}, account, id).put({
				id: createStableId(`item ${name} ${index}`),
				...times,
				...item,
			});
		}
	}
}
