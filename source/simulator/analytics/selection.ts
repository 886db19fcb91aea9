import type {FieldNode, GraphQLResolveInfo, SelectionSetNode} from 'graphql';
import type {JsonObject} from '../../text/json.ts';

/** A field that is asked for, with what is asked for below it. */
type Selected = {readonly name: string; readonly fields: readonly FieldNode[]};

/** The fields below those of a query, each once, with fragments and directives followed. */
export function selectedBelow(
	nodes: readonly FieldNode[],
	{fragments}: Pick<GraphQLResolveInfo, 'fragments'>,
	variables: JsonObject,
): readonly Selected[] {
	const found = new Map<string, FieldNode[]>();
	const collect = (set: SelectionSetNode | undefined): void => {
		for (const selection of set?.selections ?? []) {
			if (!isAsked(selection.directives ?? [], variables)) continue;
			if (selection.kind === 'Field') {
				const {value} = selection.name;
				found.set(value, [...(found.get(value) ?? []), selection]);
			} else if (selection.kind === 'InlineFragment') collect(selection.selectionSet);
			else collect(fragments[selection.name.value]?.selectionSet);
		}
	};
	for (const node of nodes) collect(node.selectionSet);
	return [...found].map(([name, fields]) => ({name, fields}));
}

/** Whether `@skip` and `@include` leave a selection in. */
const isAsked = (directives: NonNullable<FieldNode['directives']>, variables: JsonObject): boolean =>
	directives.every(({name, arguments: given}) => {
		const value = given?.find(one => one.name.value === 'if')?.value;
		const holds =
			value?.kind === 'Variable'
				? variables[value.name.value] === true
				: value?.kind === 'BooleanValue' && value.value;
		return name.value === 'include' ? holds : name.value === 'skip' ? !holds : true;
	});
