import {Box, Text} from 'ink';
import {type ReactElement, useMemo} from 'react';
import {InputField} from '../../components/field.tsx';
import {List} from '../../components/list.tsx';
import {useTheme} from '../../components/theme.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {cutMiddle} from '../../text/cut.ts';
import {JsonTree} from '../../text/json/tree.ts';
import {maxIndentLevels} from '../key/lines.ts';
import {JsonLine} from '../key/value-rows.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import type {EditorEntry} from './edit.ts';

/** A JSON field being edited, at its place in the tree. */
export function FieldInTree({
	entry: {nodes, node, buffer},
	columns,
	height,
}: {
	readonly entry: Extract<EditorEntry, {kind: 'field'}>;
	readonly columns: number;
	readonly height: number;
}): ReactElement {
	const view = useLedge(state => state.key.data?.view);
	const {current, marks} = useTheme();
	// Keeps the folds of the view.
	const shownTree = view?.tree?.nodes === nodes ? view.tree : undefined;
	const tree = useMemo(() => (shownTree ?? JsonTree.create(nodes)).reveal(node), [shownTree, nodes, node]);
	const row = tree.findRow(node);
	const {name, depth = 0, comma = false} = tree.at(row) ?? {};
	const indent = '  '.repeat(Math.min(depth, maxIndentLevels));
	const label = name === undefined ? '' : `${cutMiddle(toDrawable(name), Math.floor(columns / 3))}: `;
	const margin = ` ${marks.current}   ${indent}`;
	return (
		<List
			count={tree.count}
			cursor={row}
			hasCursor={false}
			height={height}
			renderRow={(index, isCurrent) =>
				isCurrent ? (
					<Box>
						<Text {...current}>{margin}</Text>
						<Text bold>{label}</Text>
						<InputField buffer={buffer} columns={columns - measureColumns(margin + label) - 3} />
						<Text>{comma ? ',' : ''}</Text>
					</Box>
				) : (
					<JsonLine tree={tree} row={index} query="" isCurrent={false} columns={columns} />
				)
			}
		/>
	);
}
