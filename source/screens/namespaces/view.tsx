import type {ReactElement} from 'react';
import type {LedgeState} from '../../store/ledge-store.ts';
import {grouped} from '../../text/figures.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {type Column, ListBody} from '../shell/table.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {type KnownCount, selectedNamespace, visibleNamespaces} from './slice.ts';

/** At 60 columns the pair goes first, then the ids are cut. */
const columnsWith = (counts: LedgeState['keyCounts']): readonly Column<NamespaceRow>[] => [
	{
		title: 'TITLE',
		cut: 'middle',
		text: ({title, isMissing}) => (isMissing ? 'not in this account' : title),
		look: ({isMissing}, {warning}) => (isMissing ? warning : {}),
	},
	{
		title: 'BINDING',
		width: all => Math.min(24, Math.max(12, Math.floor(all / 6))),
		text({bindings: [bound, ...others]}, {marks}) {
			if (!bound) return marks.none;
			const more = others.length > 0 ? ` +${others.length}` : '';
			return `${bound.binding}${bound.preview ? ' (p)' : ''}${more}`;
		},
	},
	{
		title: 'ID',
		width: all => (all >= 110 ? 32 : 11),
		cut: 'middle',
		text: ({id = 'unknown'}) => id,
		look: () => 'dim',
	},
	{
		title: 'KEYS',
		width: () => 9,
		align: 'right',
		text: (row, {marks}) => countText(row, counts.get(row.name), marks.dot),
	},
	{
		title: 'PREVIEW',
		gap: 2,
		width: all => (all >= 76 ? 18 : 0),
		text: ({pair}, {marks}) => (pair ? (pair.preview ? pair.title : `of ${pair.title}`) : marks.none),
	},
];

const none = {
	local: {
		title: 'No local data yet.',
		next: 'A dev server creates it, or the first key that is written to a binding.',
	},
	remote: {title: 'This account has no namespace yet.', next: 'n creates one'},
};

/** The namespaces of the service, or of the local data. */
export function Namespaces(): ReactElement {
	const namespaces = useLedge(state => state.namespaces);
	const counts = useLedge(state => state.keyCounts);
	return (
		<ListBody
			list={namespaces}
			visible={visibleNamespaces(namespaces)}
			columns={columnsWith(counts)}
			narrowed={`No namespace has "${namespaces.filter}" in its title, binding or id.`}
			none={none[namespaces.where]}
		/>
	);
}

/** Only what was counted: `1000+` where more may follow. */
function countText({keys}: NamespaceRow, count: KnownCount | undefined, unknown: string): string {
	if (count) return `${grouped(count.keys)}${count.exact ? '' : '+'}`;
	return keys === undefined ? unknown : grouped(keys);
}

/** The whole id, and where it is bound. */
export function namespaceStatus({namespaces}: Pick<LedgeState, 'namespaces'>): string {
	const row = selectedNamespace(namespaces);
	if (!row) return '';
	const bound = row.bindings.map(
		({binding, preview, from}) => `bound as ${binding}${preview ? ' (preview)' : ''} in ${from}`,
	);
	return [row.id ?? row.title, ...bound].join('   ');
}
