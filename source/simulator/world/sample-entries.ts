import {gzipSync} from 'node:zlib';
import type {JsonObject, JsonValue} from '../../text/json.ts';

/** An entry of a sample namespace; `lives` is its lifetime in seconds after the sample is written. */
export type SampleEntry = {
	readonly key: string;
	readonly value: string | Uint8Array;
	readonly metadata?: JsonObject;
	readonly lives?: number;
};

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Formats JSON with indentation. */
const formatSampleJson = (value: JsonValue): string => JSON.stringify(value, undefined, 2);

/** Settings of a shop: JSON, multi-line text, flags of a few bytes. */
export const buildConfiguration = (): SampleEntry[] => [
	{
		key: 'site',
		value: formatSampleJson({
			name: 'Acme Shop',
			locale: 'en-GB',
			currencies: ['EUR', 'GBP', 'USD'],
			support: {email: 'help@acme.example', hours: {from: '08:00', to: '18:00', zone: 'Europe/London'}},
		}),
		metadata: {version: 14, by: 'deploy'},
	},
	{
		key: 'features',
		value: formatSampleJson({
			checkout: {express: true, guests: true},
			search: {engine: 'v2', percent: 25},
			reviews: false,
		}),
		metadata: {version: 203},
	},
	{
		key: 'redirects',
		value: formatSampleJson([
			{from: '/sale', to: '/offers', status: 301},
			{from: '/jobs', to: 'https://work.acme.example/', status: 302},
		]),
	},
	{key: 'maintenance', value: 'off'},
	{key: 'motd', value: 'Free delivery on orders over 40 EUR this week.', lives: 7 * day},
	{key: 'robots.txt', value: 'User-agent: *\nDisallow: /cart\nDisallow: /account\n'},
	{key: 'limits/api', value: formatSampleJson({anonymous: 60, member: 600, partner: 6000})},
	{key: 'limits/upload', value: '26214400'},
	{
		key: 'secret/rotation',
		value: formatSampleJson({next: '2031-01-01', days: 90}),
		metadata: {owner: 'security'},
	},
];

const names = ['Ada', 'Bruno', 'Chika', 'Dmitri', 'Elif', 'Farid', 'Greta', 'Hana'];
const pages = ['/', '/offers', '/cart', '/account', '/books/article:00017'];

/** Builds 240 users: permanent profiles, and sessions that expire in 90 seconds to 30 days. */
export function buildSessions(): SampleEntry[] {
	const lifetimes = [90, 5 * minute, 20 * minute, hour, 6 * hour, day, 7 * day, 30 * day];
	return Array.from({length: 240}, (_, number) => {
		const user = `user:${String(number).padStart(5, '0')}`;
		const name = names[number % names.length] ?? '';
		return [
			{
				key: `${user}:profile`,
				value: formatSampleJson({
					id: number,
					name: `${name} ${String.fromCharCode(65 + (number % 26))}.`,
					email: `${name.toLowerCase()}.${number}@mail.example`,
					language: number % 3 ? 'en' : 'tr',
					consents: {newsletter: number % 4 === 0, analytics: number % 2 === 0},
				}),
				metadata: {version: 1 + (number % 5)},
			},
			{
				key: `${user}:session`,
				value: JSON.stringify({user: number, page: pages[number % pages.length], items: number % 7}),
				metadata: {device: number % 2 ? 'phone' : 'desktop', secure: true},
				lives: (lifetimes[number % lifetimes.length] ?? day) + number,
			},
		];
	}).flat();
}

/** Builds a developer's test data. */
export const buildSessionsPreview = (): SampleEntry[] => [
	{
		key: 'user:00001:profile',
		value: formatSampleJson({id: 1, name: 'Test Person', email: 'test@mail.example'}),
	},
	{key: 'user:00001:session', value: '{"user":1,"page":"/","items":0}', lives: hour},
];

const logoBase64 =
	'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAOUlEQVR42mP41iQPR9LSCIRLnIEk1d+aYBqIVA3VQLxqkAaSVKNoINL3DCSphmogKWQZRuNhUMQDADKn9gFBJtfcAAAAAElFTkSuQmCC';

/** Builds values other than short text: an image, compressed bytes, an empty value, 300 kB of log. */
export function buildAssets(): SampleEntry[] {
	const style = 'body { margin: 0; font: 16px/1.5 system-ui; }\nmain { max-width: 60rem; margin: auto; }\n';
	const log = buildAccessLog(300_000);
	return [
		{key: 'img/logo.png', value: Buffer.from(logoBase64, 'base64'), metadata: {type: 'image/png', width: 16}},
		{key: 'css/site.css', value: style, metadata: {type: 'text/css'}},
		{
			key: 'css/site.css.gz',
			value: gzipSync(style),
			metadata: {type: 'text/css', encoding: 'gzip'},
		},
		{key: 'fonts/.keep', value: ''},
		{key: 'bytes/all-256', value: Uint8Array.from({length: 256}, (_, byte) => byte)},
		{key: 'logs/access.log', value: log, metadata: {lines: log.split('\n').length - 1}},
	];
}

/** Builds an access log of about `size` characters. */
function buildAccessLog(size: number): string {
	const lines: string[] = [];
	for (let number = 0, length = 0; length < size; number++) {
		const second = String(number % 60).padStart(2, '0');
		const path = pages[(number * 7) % pages.length];
		const line = `198.51.100.${number % 254} - - [01/Mar/2031:09:${String(Math.floor(number / 60) % 60).padStart(2, '0')}:${second} +0000] "GET ${path} HTTP/2" ${number % 41 ? 200 : 404} ${300 + ((number * 97) % 9000)}`;
		lines.push(line);
		length += line.length + 1;
	}
	return `${lines.join('\n')}\n`;
}

/** Builds names that programs often handle wrongly; all are valid. */
export const buildOddNames = (): SampleEntry[] => [
	{key: '-starts-with-a-dash', value: 'Not an option.'},
	{key: ' begins and ends with a space ', value: 'Look at the quotes.'},
	{key: 'a/b/c?d=e&f#g%20h', value: 'Everything that has a meaning in a URL.'},
	{key: '../../etc/passwd', value: 'Only a name.'},
	{key: 'имя é', value: 'Кириллица', metadata: {язык: 'русский'}},
	{key: '名前/設定', value: formatSampleJson({言語: '日本語', 幅: 2})},
	{key: 'שלום/עולם', value: 'From right to left.'},
	{key: 'مرحبا', value: 'From right to left, joined.'},
	{key: '👩‍👩‍👧‍👦 family', value: 'One symbol of seven code points.'},
	{key: 'e\u0301 and \u00e9', value: 'The same letter twice, not the same bytes.'},
	{key: 'line\nbreak\tand tab', value: 'Control characters in a name.'},
	{
		key: '\u001b[31mred\u001b[0m',
		value: 'An escape sequence in a name, and in the value: \u001b[1mbold\u001b[0m',
	},
	{key: `${'long-'.repeat(102)}12`, value: 'A name of 512 bytes.'},
	{key: '0', value: 'A digit.'},
	{key: '__proto__', value: '{"polluted":true}'},
	{key: 'constructor', value: 'Another name that objects know.'},
];
