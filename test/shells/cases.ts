import {namespaceIds, titles} from './project.ts';

type Case = {
	readonly what: string;
	/** What is typed after `ledge `, before the Tab key. */
	readonly typed: string;
	/** The words that ledge is then called with. */
	readonly words: readonly string[];
};

/** The opening quote that is typed, by way of quoting. */
const openingQuotes = {bare: '', 'double quotes': '"', 'single quotes': "'"} as const;

const deleteWords = ['--simulate', 'kv', 'namespace', 'delete'];

const titleCases: readonly Case[] = Object.values(titles).flatMap(title =>
	Object.entries(openingQuotes).map(([name, quote]) => ({
		what: `the title ${title}, ${name}`,
		typed: `${deleteWords.join(' ')} ${quote}${[...title][0]}`,
		words: [...deleteWords, title],
	})),
);

const storeCases: readonly Case[] = [
	{
		what: 'a title after a colon',
		typed: 'kv copy simulated:m',
		words: ['kv', 'copy', `simulated:${titles.blanks}`],
	},
	{
		what: 'a title after a colon, in quotes',
		typed: 'kv copy "simulated:m',
		words: ['kv', 'copy', `simulated:${titles.blanks}`],
	},
	{
		what: 'a title whose typed part contains a colon and a blank',
		typed: 'kv copy simulated:my:\\ t',
		words: ['kv', 'copy', `simulated:${titles.blanks}`],
	},
	{what: 'a binding after a colon', typed: 'kv diff local:C', words: ['kv', 'diff', 'local:CONFIG']},
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

const createCase = (typed: string, words: string): Case => ({what: words, typed, words: words.split(' ')});

const wordCases: readonly Case[] = [
	createCase('mig', 'migration'),
	createCase('kv name', 'kv namespace'),
	createCase('--simulate kv key ge', '--simulate kv key get'),
	createCase('kv:key li', 'kv:key list'),
	createCase('completion f', 'completion fish'),
	createCase('kv key list --form', 'kv key list --format'),
	createCase('kv key list --format t', 'kv key list --format table'),
	createCase('kv key list --format=t', 'kv key list --format=table'),
	createCase('kv key list --binding ', 'kv key list --binding CONFIG'),
	createCase('kv key list --binding=C', 'kv key list --binding=CONFIG'),
	createCase('kv key list --env staging --binding S', 'kv key list --env staging --binding STAGING_CONFIG'),
	createCase('kv key list --env ', 'kv key list --env staging'),
	createCase('kv key list --context pro', 'kv key list --context production'),
	createCase('kv key list --account-id bb', `kv key list --account-id ${'b'.repeat(32)}`),
	createCase(
		'--simulate kv key list --namespace-id 1f',
		`--simulate kv key list --namespace-id ${namespaceIds[0]}`,
	),
	createCase('firewall rule list --zone ac', 'firewall rule list --zone acme.example'),
	createCase('firewall rule list --zone-id d', `firewall rule list --zone-id ${'d'.repeat(32)}`),
	createCase('firewall rule create --action js', 'firewall rule create --action js_challenge'),
	createCase('firewall rule create --products waf,bi', 'firewall rule create --products waf,bic'),
	createCase('firewall explain --plan ent', 'firewall explain --plan enterprise'),
	createCase('firewall explain --phase man', 'firewall explain --phase managed'),
	createCase('migration rehearse --path val', 'migration rehearse --path validation'),
	createCase('managed edit --deploy pl', 'managed edit --deploy platform'),
];

const fileCases: readonly Case[] = [
	{what: 'a file', typed: 'kv bulk put da', words: ['kv', 'bulk', 'put', 'data set.json']},
	{what: 'a file in quotes', typed: 'kv bulk put "da', words: ['kv', 'bulk', 'put', 'data set.json']},
	{
		what: 'a file after an option',
		typed: 'kv key put k --path da',
		words: ['kv', 'key', 'put', 'k', '--path', 'data set.json'],
	},
	{
		what: 'a file after an equals sign',
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
	createCase('kv key get ', 'kv key get'),
	createCase('kv key get da', 'kv key get da'),
	createCase('kv key list --format json --format', 'kv key list --format json --format'),
	createCase('kv key list --binding CONFIG --namesp', 'kv key list --binding CONFIG --namesp'),
	createCase('--simulate kv namespace delete k', '--simulate kv namespace delete k'),
	createCase('kv unknown da', 'kv unknown da'),
	createCase('kv key list -- --form', 'kv key list -- --form'),
	createCase('kv key put k v ', 'kv key put k v'),
].map(one => ({...one, what: `nothing after:  ${one.typed}`}));

/** Lines with one possible completion, or none, and what they become. */
export const cases: readonly Case[] = [
	...wordCases,
	...titleCases,
	...storeCases,
	...fileCases,
	...silentCases,
];

/** Lines with several completions, and the texts that the screen then shows. */
export const listCases: readonly {readonly typed: string; readonly shown: readonly string[]}[] = [
	{typed: 'kv key ', shown: ['put', 'list', 'get', 'delete', 'rename', 'copy', 'edit']},
	{typed: 'kv key list --format ', shown: ['json', 'ndjson', 'table']},
	{typed: 'kv copy ', shown: ['remote:', 'preview:', 'local:', 'simulated:', 'file:']},
	{
		typed: '--simulate kv key list --namespace-id ',
		shown: [...namespaceIds, titles.plain, titles.blanks],
	},
];
