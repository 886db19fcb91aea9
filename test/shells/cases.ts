import {namespaceIds, titles} from './project.ts';

type Case = {
	readonly what: string;
	/** What is typed behind `ledge `, before the tabulator key. */
	readonly typed: string;
	/** The words that ledge is then called with. */
	readonly words: readonly string[];
};

/** The same text in each way of quoting, as far as it is typed. */
const quotings = {bare: '', 'double quotes': '"', 'single quotes': "'"} as const;

const remove = ['--simulate', 'kv', 'namespace', 'delete'];

const titleCases: readonly Case[] = Object.values(titles).flatMap(title =>
	Object.entries(quotings).map(([name, quote]) => ({
		what: `the title ${title}, ${name}`,
		typed: `${remove.join(' ')} ${quote}${[...title][0]}`,
		words: [...remove, title],
	})),
);

const storeCases: readonly Case[] = [
	{
		what: 'a title behind a colon',
		typed: 'kv copy simulated:m',
		words: ['kv', 'copy', `simulated:${titles.blanks}`],
	},
	{
		what: 'a title behind a colon, in quotes',
		typed: 'kv copy "simulated:m',
		words: ['kv', 'copy', `simulated:${titles.blanks}`],
	},
	{
		what: 'a title whose begin has a colon and a blank in it',
		typed: 'kv copy simulated:my:\\ t',
		words: ['kv', 'copy', `simulated:${titles.blanks}`],
	},
	{what: 'a binding behind a colon', typed: 'kv diff local:C', words: ['kv', 'diff', 'local:CONFIG']},
	{what: 'a preview binding', typed: 'kv diff preview:', words: ['kv', 'diff', 'preview:CONFIG']},
	{
		what: 'the other store',
		typed: 'kv copy local:CONFIG simulated:si',
		words: ['kv', 'copy', 'local:CONFIG', 'simulated:simple'],
	},
	{
		what: 'a file as a store',
		typed: 'kv diff file:da',
		words: ['kv', 'diff', 'file:data set.json'],
	},
];

const line = (typed: string, words: string): Case => ({what: words, typed, words: words.split(' ')});

const wordCases: readonly Case[] = [
	line('mig', 'migration'),
	line('kv name', 'kv namespace'),
	line('--simulate kv key ge', '--simulate kv key get'),
	line('kv:key li', 'kv:key list'),
	line('completion f', 'completion fish'),
	line('kv key list --form', 'kv key list --format'),
	line('kv key list --format t', 'kv key list --format table'),
	line('kv key list --format=t', 'kv key list --format=table'),
	line('kv key list --binding ', 'kv key list --binding CONFIG'),
	line('kv key list --binding=C', 'kv key list --binding=CONFIG'),
	line('kv key list --env staging --binding S', 'kv key list --env staging --binding STAGING_CONFIG'),
	line('kv key list --env ', 'kv key list --env staging'),
	line('kv key list --context pro', 'kv key list --context production'),
	line('kv key list --account-id bb', `kv key list --account-id ${'b'.repeat(32)}`),
	line(
		'--simulate kv key list --namespace-id 1f',
		`--simulate kv key list --namespace-id ${namespaceIds[0]}`,
	),
	line('firewall rule list --zone ac', 'firewall rule list --zone acme.example'),
	line('firewall rule list --zone-id d', `firewall rule list --zone-id ${'d'.repeat(32)}`),
	line('firewall rule create --action js', 'firewall rule create --action js_challenge'),
	line('firewall rule create --products waf,bi', 'firewall rule create --products waf,bic'),
	line('firewall explain --plan ent', 'firewall explain --plan enterprise'),
	line('firewall explain --phase man', 'firewall explain --phase managed'),
	line('migration rehearse --path val', 'migration rehearse --path validation'),
	line('managed edit --deploy pl', 'managed edit --deploy platform'),
];

const fileCases: readonly Case[] = [
	{what: 'a file', typed: 'kv bulk put da', words: ['kv', 'bulk', 'put', 'data set.json']},
	{what: 'a file in quotes', typed: 'kv bulk put "da', words: ['kv', 'bulk', 'put', 'data set.json']},
	{
		what: 'a file behind an option',
		typed: 'kv key put k --path da',
		words: ['kv', 'key', 'put', 'k', '--path', 'data set.json'],
	},
	{
		what: 'a file behind an equals sign',
		typed: 'kv key put k --path=da',
		words: ['kv', 'key', 'put', 'k', '--path=data set.json'],
	},
	{
		what: 'a folder, and no file',
		typed: 'kv key get k --persist-to sto',
		words: ['kv', 'key', 'get', 'k', '--persist-to', 'stored values'],
	},
];

const silentCases: readonly Case[] = [
	line('kv key get ', 'kv key get'),
	line('kv key get da', 'kv key get da'),
	line('kv key list --format json --format', 'kv key list --format json --format'),
	line('kv key list --binding CONFIG --namesp', 'kv key list --binding CONFIG --namesp'),
	line('--simulate kv namespace delete k', '--simulate kv namespace delete k'),
	line('kv unknown da', 'kv unknown da'),
	line('kv key list -- --form', 'kv key list -- --form'),
	line('kv key put k v ', 'kv key put k v'),
].map(one => ({...one, what: `nothing behind: ${one.typed}`}));

/** Lines with one possible completion, or none, and what they become. */
export const cases: readonly Case[] = [
	...wordCases,
	...titleCases,
	...storeCases,
	...fileCases,
	...silentCases,
];

/** Lines with several completions, and texts that are then on the screen. */
export const lists: readonly {readonly typed: string; readonly shown: readonly string[]}[] = [
	{typed: 'kv key ', shown: ['put', 'list', 'get', 'delete', 'rename', 'copy', 'edit']},
	{typed: 'kv key list --format ', shown: ['json', 'ndjson', 'table']},
	{typed: 'kv copy ', shown: ['remote:', 'preview:', 'local:', 'simulated:', 'file:']},
	{
		typed: '--simulate kv key list --namespace-id ',
		shown: [...namespaceIds, titles.plain, titles.blanks],
	},
];
