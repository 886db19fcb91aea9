/** Passed as --zone: 2 and 5 then open this zone directly, without the list of zones. */
const acmeZone = 'acme.example';

export type Place = {
	readonly zone?: string;
	/** The keys to press. A pattern has to be shown before the next key is pressed. */
	readonly keys: readonly (string | RegExp)[];
	/** What is then shown at every size. */
	readonly shows: RegExp;
};

/** Ways to each screen and dialog. */
export const places: Readonly<Record<string, Place>> = {
	home: {keys: [], shows: /Activity/},
	namespaces: {keys: ['enter'], shows: /catalogue/},
	metrics: {keys: ['enter', 'down', 'M'], shows: /Operations/},
	'odd names': {keys: ['enter', 'end', 'enter'], shows: /\d+ keys?\b/},
	keys: {keys: ['enter', 'down', 'enter'], shows: /480 keys/},
	filter: {keys: ['enter', 'down', 'enter', '/', '4'], shows: /\/ 4/},
	key: {keys: ['enter', 'enter', 'enter'], shows: /JSON/},
	'key as text': {keys: ['enter', 'enter', 'enter', /tab text/, 'tab'], shows: /JSON as text/},
	'key as hex': {keys: ['enter', 'enter', 'enter', /tab text/, 'tab', 'tab'], shows: /hex/},
	'odd key': {keys: ['enter', 'end', 'enter', 'end', 'enter'], shows: /bytes ·/},
	'edit of a field': {keys: ['enter', 'enter', 'down', 'enter', 'down', 'e', '7'], shows: /ctrl-s/},
	'edit of a text': {keys: ['enter', 'enter', 'down', 'enter', 'tab', 'e', '7'], shows: /ctrl-s/},
	metadata: {keys: ['enter', 'enter', 'enter', /tab text/, 'm'], shows: /is a JSON object/},
	expiry: {keys: ['enter', 'enter', 'enter', /tab text/, 'T'], shows: /A duration such as/},
	'new key': {keys: ['enter', 'enter', 'a'], shows: /key/i},
	review: {keys: ['enter', 'enter', 'down', 'enter', 'down', 'e', '7', 'ctrl-s'], shows: /y write the key/},
	'the request of a review': {
		keys: ['enter', 'enter', 'down', 'enter', 'down', 'e', '7', 'ctrl-s', 'r'],
		shows: /PUT/,
	},
	'delete key': {keys: ['enter', 'enter', 'd'], shows: /y delete the key/},
	'delete several': {keys: ['enter', 'enter', 'space', 'space', 'd'], shows: /2/},
	'bulk choice': {keys: ['enter', 'enter', 'B'], shows: /file/},
	'search in values': {
		keys: ['enter', 'down', 'enter', 'f', 'down', 'enter', 'u', 'tab'],
		shows: /case-sensitive/,
	},
	hits: {
		keys: ['enter', 'down', 'enter', 'f', 'down', 'enter', 'a', 'enter', /\d hits? in \d/],
		shows: /line 1/,
	},
	'value of a hit': {
		keys: ['enter', 'down', 'enter', 'f', 'down', 'enter', 'a', 'enter', /\d hits? in \d/, 'enter', /n next/],
		shows: /JSON/,
	},
	'cost of statistics': {keys: ['enter', 'S'], shows: /enter starts/},
	statistics: {
		keys: ['enter', 'down', 'enter', /480 keys/, 'S', 'enter', / 480 keys/],
		shows: /Keys by prefix/,
	},
	'wrapped text': {keys: ['enter', 'end', 'enter', 'end', 'enter', /bytes ·/, 'tab', 'L'], shows: /bytes ·/},
	jobs: {keys: ['7'], shows: /[Jj]obs/},
	activity: {keys: ['enter', '9'], shows: /METHOD/},
	zones: {keys: ['2'], shows: /acme-shop\.example/},
	firewall: {zone: acmeZone, keys: ['2'], shows: /rule 1 of \d+/},
	emergency: {zone: acmeZone, keys: ['2', '!'], shows: /EMERGENCY/},
	'the filters of a zone': {zone: acmeZone, keys: ['2', 'tab'], shows: /used by rule 1/},
	'all of a rule': {zone: acmeZone, keys: ['2', 'j', 'enter'], shows: /rule 2 of \d+/},
	'pause of a rule': {zone: acmeZone, keys: ['2', 'p'], shows: /Pause this rule/},
	'priority of a rule': {zone: acmeZone, keys: ['2', 'O'], shows: /Priority of rule 1/},
	'delete rule': {zone: acmeZone, keys: ['2', 'd'], shows: /Keep it/},
	'rate limits': {zone: 'done.acme.example', keys: ['2', /rule 1 of 4/, 'L'], shows: /rate limit 1 of 3/},
	'custom rules from firewall rules': {zone: acmeZone, keys: ['2', 'm'], shows: /to create/},
	'the request for custom rules from firewall rules': {
		zone: acmeZone,
		keys: ['2', 'm', 'enter'],
		shows: /exactly as/,
	},
	migration: {zone: acmeZone, keys: ['5'], shows: /Read the zone/},
	'what is in the way of a migration': {
		zone: 'acme-legacy.example',
		keys: ['5', /▸ Read the zone/, 'enter'],
		shows: /is not eligible/,
	},
	'what a migration would do': {
		zone: acmeZone,
		keys: ['5', /▸ Read the zone/, 'enter', /▸ Continue/, 'enter'],
		shows: /same as the\s+proposal/,
	},
	help: {keys: ['enter', '?'], shows: /search shortcuts/},
	palette: {keys: [':'], shows: /search actions/},
	'new namespace': {keys: ['enter', 'a'], shows: /The exact title/},
	'delete namespace': {keys: ['enter', 'down', 'd'], shows: /Export its keys/},
	'delete namespace, typed': {
		keys: ['enter', 'down', 'd', /without an export/, 'down', 'enter'],
		shows: /cannot be undone/,
	},
};
