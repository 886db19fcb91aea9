import type {FieldNode, GraphQLResolveInfo, SelectionSetNode} from 'graphql';
import type {JsonObject} from '../../text/json.ts';

/** A requested field, and its nodes in the query. */
type SelectedField = {readonly name: string; readonly fields: readonly FieldNode[]};

/** Collects the fields below those of a query, each once; follows fragments and directives. */
export function collectSelectedFields(
	nodes: readonly FieldNode[],
	{fragments}: Pick<GraphQLResolveInfo, 'fragments'>,
	variables: JsonObject,
): readonly SelectedField[] {
	const found = new Map<string, FieldNode[]>();
	const collect = (set: SelectionSetNode | undefined): void => {
		for (const selection of set?.selections ?? []) {
			if (!isIncluded(selection.directives ?? [], variables)) continue;
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

/** True if `@skip` and `@include` keep a selection. */
const isIncluded = (directives: NonNullable<FieldNode['directives']>, variables: JsonObject): boolean =>
	directives.every(({name, arguments: given}) => {
		const value = given?.find(one => one.name.value === 'if')?.value;
		const holds =
			value?.kind === 'Variable'
				? variables[value.name.value] === true
				: value?.kind === 'BooleanValue' && value.value;
		return name.value === 'include' ? holds : name.value === 'skip' ? !holds : true;
	});
