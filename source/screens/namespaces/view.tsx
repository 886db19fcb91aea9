import {Text} from 'ink';
import {memo, type ReactElement} from 'react';
import {bodyRows} from '../../components/layout.ts';
import {List} from '../../components/list.tsx';
import {useTheme} from '../../components/theme.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {drawable} from '../../text/columns.ts';
import {cutEnd, cutMiddle, fitted} from '../../text/cut.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {type KnownCount, selectedNamespace, visibleNamespaces} from './slice.ts';

/** Columns of the list, from what the terminal has: at 60 the pair goes first, then the ids are cut. */
function columnsFor(columns: number) {
	const pair = columns >= 76 ? 20 : 0;
	const id = columns >= 110 ? 32 : 11;
	const keys = 9;
	const binding = Math.min(24, Math.max(12, Math.floor(columns / 6)));
	return {pair, id, keys, binding, title: columns - 3 - pair - id - keys - binding - 4};
}

/** The namespaces of the service, or of the local data. */
export function Namespaces(): ReactElement {
	const namespaces = useLedge(state => state.namespaces);
	const counts = useLedge(state => state.keyCounts);
	const {columns, rows} = useLedge(state => state.viewport);
	const {dim} = useTheme();
	const visible = visibleNamespaces(namespaces);
	if (visible.length === 0) return <Empty {...whyEmpty(namespaces)} />;
	const widths = columnsFor(columns);
	return (
		<>
			<Text {...dim} wrap="truncate">
				{`   ${fitted('TITLE', widths.title)} ${fitted('BINDING', widths.binding)} ${fitted('ID', widths.id)} ${fitted('KEYS', widths.keys, 'right')}${widths.pair > 0 ? '  PREVIEW' : ''}`}
			</Text>
			<List
				count={visible.length}
				cursor={namespaces.cursor}
				height={bodyRows(rows) - 1}
				row={(index, isHere) => {
					const row = visible[index];
					return row ? (
						<NamespaceLine row={row} count={counts.get(row.name)} isHere={isHere} columns={columns} />
					) : (
						<Text> </Text>
					);
				}}
			/>
		</>
	);
}

const NamespaceLine = memo(
	({
		row,
		count,
		isHere,
		columns,
	}: {
		readonly row: NamespaceRow;
		readonly count: KnownCount | undefined;
		readonly isHere: boolean;
		readonly columns: number;
	}): ReactElement => {
		const {here, dim, marks} = useTheme();
		const widths = columnsFor(columns);
		const [bound] = row.bindings;
		const more = row.bindings.length > 1 ? ` +${row.bindings.length - 1}` : '';
		const binding = bound ? `${bound.binding}${bound.preview ? ' (p)' : ''}${more}` : marks.none;
		const pair = row.pair ? (row.pair.preview ? row.pair.title : `of ${row.pair.title}`) : marks.none;
		return (
			<Text wrap="truncate" {...(isHere ? here : {})}>
				{` ${isHere ? marks.here : ' '} `}
				{fitted(cutMiddle(drawable(row.title), widths.title), widths.title)}{' '}
				{fitted(drawable(binding), widths.binding)}{' '}
				<Text {...(isHere ? {} : dim)}>{fitted(shortId(row.id, widths.id), widths.id)}</Text>{' '}
				{fitted(countText(row, count, marks.dot), widths.keys, 'right')}
				{widths.pair > 0 ? `  ${cutEnd(drawable(pair), widths.pair - 2)}` : ''}
			</Text>
		);
	},
);

const shortId = (id: string | undefined, columns: number): string =>
	id === undefined ? 'not known' : cutMiddle(drawable(id), columns);

/** Only what was counted: `1000+` where more may follow (decision 42). */
function countText({keys}: NamespaceRow, count: KnownCount | undefined, unknown: string): string {
	if (count) return `${count.keys}${count.exact ? '' : '+'}`;
	return keys === undefined ? unknown : `${keys}`;
}

function whyEmpty({where, reading, filter, failure}: LedgeState['namespaces']) {
	if (reading === 'reading' || reading === 'unread') return {title: ''};
	if (failure) return {failure};
	if (filter !== '')
		return {
			title: `No namespace has "${filter}" in its title, binding or id.`,
			next: 'esc shows all of them',
		};
	return where === 'local'
		? {
				title: 'There is no local data yet.',
				next: 'A dev server makes it, or the first key that is written to a binding.',
			}
		: {title: 'This account has no namespace yet.', next: 'n creates one'};
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
