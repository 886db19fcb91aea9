/** A binding of a preset, and what in the other program it stands for. */
type PresetBinding = {readonly keys: readonly string[]; readonly reason: string};

type KeyPreset = Readonly<Record<string, PresetBinding>>;

const replaceKeys = (reason: string, ...keys: readonly string[]): PresetBinding => ({keys, reason});

/** Scrolling beside a list, where a preset needs ctrl-d or ctrl-u for something else. */
const asideKeys: KeyPreset = Object.fromEntries(
	['managed.aside', 'migration.aside', 'validation.detail'].flatMap(id => [
		[`${id}.down`, replaceKeys('free, because `ctrl-d` is taken', 'J')],
		[`${id}.up`, replaceKeys('as `J`', 'K')],
	]),
);

/** Keys of actions and shared meanings, for people who know another program. */
export const keyPresets: Readonly<Record<'vim' | 'k9s' | 'lazygit', KeyPreset>> = {
	vim: {
		'all.page-down': replaceKeys('scrolls half a page in vim', 'pagedown', 'ctrl-f', 'ctrl-d'),
		'all.page-up': replaceKeys('scrolls half a page in vim', 'pageup', 'ctrl-b', 'ctrl-u'),
		...asideKeys,
		'go.back': replaceKeys('goes to the alternate file', '[', 'ctrl-^'),
	},
	k9s: {
		'all.delete': replaceKeys('deletes in k9s, where `d` describes', 'ctrl-d'),
		...asideKeys,
		'all.palette': replaceKeys(
			'`ctrl-k` kills in k9s; here it opens the palette, and nothing is lost',
			':',
			'ctrl-k',
		),
		'namespaces.open': replaceKeys('describes', 'enter', 'l', 'right', 'd'),
		'keys.open': replaceKeys('describes', 'enter', 'l', 'right', 'd'),
		'compare.open': replaceKeys('describes', 'enter', 'l', 'right', 'd'),
		'search.open': replaceKeys('describes', 'enter', 'l', 'right', 'd'),
		'zones.details': replaceKeys('describes', 'i', 'd'),
		'all.copy': replaceKeys('copies', 'c', 'y'),
		'namespaces.copy-title': replaceKeys('copies the name', 'c', 'Y'),
		'namespaces.copy': replaceKeys('the id; `c` copies the name', 'y'),
		'all.copy-to': replaceKeys('transfers; `c` copies text', 'ctrl-t'),
		'all.save': replaceKeys('saves to a file', 'ctrl-s'),
		'all.back': replaceKeys('closes a view', 'q'),
		'all.quit': replaceKeys('`q` closes a view; `ctrl-c` quits, as in k9s', 'Q'),
		'go.back': replaceKeys('goes to the last view', '[', '-'),
	},
	lazygit: {
		'all.new': replaceKeys('creates a branch', 'n'),
		'field.add': replaceKeys('stays: `n` is the next match in a value', 'a'),
		'all.select-all': replaceKeys('stages everything', 'a'),
		'all.undo': replaceKeys('undoes', 'z'),
		'key.fold-all': replaceKeys('collapses all', '-'),
		'migration.proposed': replaceKeys('as in a value', '-'),
		'migration.hide-proposed': replaceKeys('as in a value', '-'),
		'all.rename': replaceKeys('renames, rewords', 'r'),
		'all.reload': replaceKeys('refreshes', 'R', 'ctrl-r'),
		'all.copy': replaceKeys('copies to the clipboard', 'ctrl-o', 'y'),
		'all.next-tab': replaceKeys('next tab', 'tab', ']'),
		'all.previous-tab': replaceKeys('previous tab', 'shift-tab', '['),
		'go.back': replaceKeys('`[` is the previous tab', 'alt-left'),
		'go.forward': replaceKeys('`]` is the next tab', 'alt-right'),
		'all.page-up': replaceKeys('previous page', 'pageup', 'ctrl-b', ','),
		'all.page-down': replaceKeys('next page', 'pagedown', 'ctrl-f', '.'),
	},
};
