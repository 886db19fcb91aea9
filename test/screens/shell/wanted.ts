/** Something that people want, in three wordings, and the actions that do it. */
export type Wanted = {
	readonly what: string;
	readonly words: readonly [string, string, string];
	/** One of them has to be found first. `.filter`, for example, is the filter action of any list. */
	readonly ids: readonly string[];
};

/** What people want of ledge, as they call it. */
export const wanted: readonly Wanted[] = [
	{
		what: 'rename a namespace',
		words: ['rename namespace', 'change namespace title', 'namespace name edit'],
		ids: ['namespaces.rename'],
	},
	{
		what: 'rename a key',
		words: ['rename key', 'change key name', 'move key'],
		ids: ['rename.key', 'rename.prefix'],
	},
	{
		what: 'duplicate a key',
		words: ['duplicate key', 'clone key', 'copy key under a new name'],
		ids: ['rename.duplicate'],
	},
	{what: 'a new key', words: ['new key', 'create key', 'add a key'], ids: ['edit.new']},
	{
		what: 'a new namespace',
		words: ['new namespace', 'create a namespace', 'add namespace'],
		ids: ['namespaces.new'],
	},
	{
		what: 'delete a namespace',
		words: ['delete namespace', 'remove namespace', 'drop the namespace'],
		ids: ['namespaces.delete'],
	},
	{what: 'delete a key', words: ['delete key', 'remove a key', 'erase key'], ids: ['edit.delete']},
	{
		what: 'delete by prefix',
		words: ['delete by prefix', 'delete prefix', 'remove all keys of a group'],
		ids: ['keys.delete-below'],
	},
	{
		what: 'security events',
		words: ['security events', 'blocked requests', 'why was i blocked'],
		ids: ['go.events', '.events'],
	},
	{what: 'attacks', words: ['attacks', 'activity log of firewall', 'traffic'], ids: ['go.events']},
	{
		what: 'undo',
		words: ['undo', 'revert last change', 'take it back'],
		ids: ['edit.undo', 'firewall.undo', 'custom.undo', 'managed.undo', 'managed.undo-sent', 'left.undo'],
	},
	{what: 'refresh', words: ['refresh', 'reload', 'update the list'], ids: ['reload', 'migration.reload']},
	{what: 'export', words: ['export', 'download keys', 'backup namespace'], ids: ['keys.export']},
	{what: 'import', words: ['import', 'import file', 'restore an export'], ids: ['keys.bulk']},
	{
		what: 'bulk upload',
		words: ['bulk', 'bulk upload', 'upload many keys'],
		// A zone with this name is meant where bulk upload is not possible.
		ids: ['keys.bulk', 'zone bulk.acme.example'],
	},
	{
		what: 'copy to another namespace',
		words: ['copy to another namespace', 'transfer keys', 'sync namespaces'],
		ids: ['keys.copy-to'],
	},
	{what: 'compare', words: ['compare', 'diff namespaces', 'difference'], ids: ['keys.compare']},
	{
		what: 'search values',
		words: ['search values', 'grep', 'find text in values'],
		ids: ['keys.search-values', 'key.find', 'search.filter'],
	},
	{
		what: 'statistics of a namespace',
		words: ['statistics', 'largest keys', 'value sizes'],
		ids: ['keys.stats', 'namespaces.stats'],
	},
	{what: 'filter', words: ['filter', 'search', 'find by name'], ids: ['.filter', 'key.find']},
	{
		what: 'sort',
		words: ['sort', 'sort by name', 'order by expiry'],
		ids: ['keys.sort', 'namespaces.sort', 'zones.order'],
	},
	{what: 'change the expiry', words: ['expiry', 'ttl', 'change expiration'], ids: ['edit.expiry']},
	{what: 'edit the metadata', words: ['metadata', 'edit metadata', 'set metadata'], ids: ['edit.metadata']},
	{
		what: 'copy a value',
		words: ['copy value', 'copy whole value', 'value to clipboard'],
		ids: ['key.copy-all'],
	},
	{
		what: 'save a value to a file',
		words: ['save value to file', 'write value to a file', 'download value'],
		ids: ['key.save', 'keys.save'],
	},
	{
		what: 'load a value from a file',
		words: ['load from file', 'load value', 'value from a file'],
		ids: ['key.load', 'keys.load'],
	},
	{
		what: 'open in an editor',
		words: ['open in editor', 'vim', 'external editor'],
		ids: ['edit.elsewhere'],
	},
	{
		what: 'switch the account',
		words: ['switch account', 'change account', 'login'],
		ids: ['go.contexts'],
	},
	{
		what: 'see whether a namespace is used',
		words: ['metrics', 'is it used', 'reads and writes'],
		ids: ['metrics.open'],
	},
	{
		what: 'see the use of a namespace',
		words: ['usage', 'latency', 'reads and writes'],
		ids: ['metrics.open'],
	},
	{
		what: 'see how fast a namespace is',
		words: ['how fast', 'slow', 'performance'],
		ids: ['metrics.open'],
	},
	{
		what: 'see how large a namespace is',
		words: ['how big', 'analytics', 'how large'],
		ids: ['metrics.open', 'keys.stats', 'namespaces.stats'],
	},
	{
		what: 'sort the namespaces',
		words: ['sort namespaces', 'sort the namespaces', 'sort namespaces by size'],
		ids: ['namespaces.sort'],
	},
	{
		what: 'sort by size',
		words: ['sort by size', 'largest first', 'sort keys by size'],
		ids: ['namespaces.sort', 'keys.sort'],
	},
	{
		what: 'switch to local data',
		words: ['switch to local', 'local data', 'dev server'],
		ids: ['namespaces.where'],
	},
	{
		what: 'go to a namespace',
		words: ['go to namespace', 'open namespaces', 'list namespaces'],
		ids: ['go.namespaces'],
	},
	{
		what: 'a new firewall rule',
		words: ['new firewall rule', 'create rule', 'add a firewall rule'],
		ids: ['firewall.new-rule', 'custom.new'],
	},
	{
		what: 'emergency block',
		words: ['emergency block', 'block ip', 'under attack'],
		ids: ['go.emergency', 'go.emergency-migration', 'firewall.emergency', 'custom.emergency'],
	},
	{
		what: 'resume a migration',
		words: ['resume migration', 'continue migration', 'upgrade managed rules'],
		ids: ['go.migration'],
	},
];

/** Ids of wanted actions that do not exist yet. An action that was added has to be removed here. */
export const plannedActionIds: readonly string[] = [];
