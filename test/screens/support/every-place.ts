/** Passed as --zone: 2 and 5 then open this zone directly, without the list of zones. */
const acmeZone = 'acme.example';
/** A zone with the new managed rules. */
const doneZone = 'done.acme.example';

export type Place = {
	readonly zone?: string;
	/** The keys to press. A pattern has to be shown before the next key is pressed. */
	readonly keys: readonly (string | RegExp)[];
	/** What is then shown at every size. */
	readonly shows: RegExp;
	/** What is shown at 40×10 instead, where `shows` is cut or has to be scrolled to. */
	readonly showsInSmall?: RegExp;
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
	review: {
		keys: ['enter', 'enter', 'down', 'enter', 'down', 'e', '7', 'ctrl-s'],
		shows: /y write the key/,
		showsInSmall: /y read on/,
	},
	'the request of a review': {
		keys: ['enter', 'enter', 'down', 'enter', 'down', 'e', '7', 'ctrl-s', 'r'],
		shows: /PUT/,
	},
	'delete key': {keys: ['enter', 'enter', 'd'], shows: /y delete the key/, showsInSmall: /y read on/},
	'delete several': {keys: ['enter', 'enter', 'space', 'down', 'space', 'd'], shows: /2/},
	'bulk choice': {keys: ['enter', 'enter', 'B'], shows: /file/},
	'search in values': {
		keys: ['enter', 'down', 'enter', 'f', 'down', 'enter', 'u', 'tab'],
		shows: /case-sensitive/,
	},
	hits: {
		keys: ['enter', 'down', 'enter', 'f', 'down', 'enter', 'a', 'enter', /\d hits? in \d/],
		shows: /line 1/,
		showsInSmall: /user:000…profile/,
	},
	'value of a hit': {
		keys: ['enter', 'down', 'enter', 'f', 'down', 'enter', 'a', 'enter', /\d hits? in \d/, 'enter', /n next/],
		shows: /JSON/,
	},
	'cost of statistics': {keys: ['enter', 'S'], shows: /enter starts/, showsInSmall: /Statistics of/},
	statistics: {
		keys: ['enter', 'down', 'enter', /480 keys/, 'S', 'enter', / 480 keys/],
		shows: /Keys by prefix/,
	},
	'wrapped text': {keys: ['enter', 'end', 'enter', 'end', 'enter', /bytes ·/, 'tab', 'L'], shows: /bytes ·/},
	jobs: {keys: ['7'], shows: /[Jj]obs/},
	activity: {keys: ['enter', '9'], shows: /METHOD/},
	zones: {keys: ['2'], shows: /acme-shop\.example/, showsInSmall: /acme-blog\.example/},
	firewall: {zone: acmeZone, keys: ['2'], shows: /rule 1 of \d+/, showsInSmall: /12 of 1,000 rules/},
	emergency: {zone: acmeZone, keys: ['2', '!'], shows: /EMERGENCY/},
	'the filters of a zone': {
		zone: acmeZone,
		keys: ['2', 'tab'],
		shows: /used by rule 1/,
		showsInSmall: /USED BY/,
	},
	'all of a rule': {zone: acmeZone, keys: ['2', 'j', 'enter'], shows: /rule 2 of \d+/},
	'pause of a rule': {zone: acmeZone, keys: ['2', 'p'], shows: /Pause rule 1/},
	'priority of a rule': {zone: acmeZone, keys: ['2', 'O'], shows: /Priority of rule 1/},
	'delete rule': {zone: acmeZone, keys: ['2', 'd'], shows: /delete rule 1/, showsInSmall: /y read on/},
	'new firewall rule': {zone: acmeZone, keys: ['2', 'a'], shows: /expression/},
	'custom rules': {zone: doneZone, keys: ['3'], shows: /rule 1 of \d+/, showsInSmall: /4 of 20 custom rules/},
	'new custom rule': {zone: doneZone, keys: ['3', 'a'], shows: /expression/},
	'managed rules': {zone: doneZone, keys: ['4'], shows: /version \d+, \d+ rules/},
	'review of managed rules': {
		zone: doneZone,
		keys: ['4', /version \d+/, 'p', 'enter'],
		shows: /Your unsent changes/,
		showsInSmall: /on → off/,
	},
	'all managed rules': {zone: doneZone, keys: ['4', /version \d+/, 'b'], shows: /rule 1 of \d+/},
	'versions of managed rules': {zone: doneZone, keys: ['4', /version \d+/, 'V'], shows: /VERSION/},
	'security events': {zone: doneZone, keys: ['6'], shows: /24 h/},
	contexts: {keys: ['C'], shows: /simulated/},
	trash: {keys: ['enter', 'enter', 'V'], shows: /trash/},
	'rename of a key': {keys: ['enter', 'enter', 'R'], shows: /name/},
	'copy to a store': {keys: ['enter', 'enter', 'c'], shows: /[Cc]opy/},
	'export to a file': {keys: ['enter', 'enter', 'x'], shows: /output file/},
	'choice of a store to compare': {keys: ['enter', 'enter', '='], shows: /[Cc]ompare/},
	'rate limits': {
		zone: doneZone,
		keys: ['2', /rule 1 of 4/, 'L'],
		shows: /rate limit 1 of 3/,
		showsInSmall: /3 rate limits/,
	},
	'custom rules from firewall rules': {
		zone: acmeZone,
		keys: ['2', 'm'],
		shows: /to create/,
		showsInSmall: /12 custom rules/,
	},
	'the request for custom rules from firewall rules': {
		zone: acmeZone,
		keys: ['2', 'm', 'enter'],
		shows: /exactly as/,
		showsInSmall: /12 custom rules to create/,
	},
	migration: {zone: acmeZone, keys: ['5'], shows: /Read the zone/},
	'what is in the way of a migration': {
		zone: 'acme-legacy.example',
		keys: ['5', /▸ Read the zone/, 'enter'],
		shows: /is not eligible/,
		showsInSmall: /is not/,
	},
	'what a migration would do': {
		zone: acmeZone,
		keys: ['5', /▸ Read the zone/, 'enter', /▸ Continue/, 'enter'],
		shows: /fingerprint/,
	},
	help: {keys: ['enter', '?'], shows: /search shortcuts/},
	palette: {keys: [':'], shows: /search actions/},
	'new namespace': {keys: ['enter', 'a'], shows: /The exact title/},
	'delete namespace': {keys: ['enter', 'down', 'd'], shows: /Export its keys/},
	'delete namespace, typed': {
		keys: ['enter', 'down', 'd', /without an export…/, 'down', 'enter'],
		shows: /cannot be undone/,
		showsInSmall: /To continue, type {2}SESSIONS/,
	},
};
