import type {FieldNode, GraphQLResolveInfo, SelectionSetNode} from 'graphql';
import type {JsonObject} from '../../text/json.ts';

/** A requested field, and its nodes in the query. */
type SelectedField = {readonly name: string; readonly fieldNodes: readonly FieldNode[]};

/**
 * Collects the subfields of some nodes, each name once; follows fragments, and obeys `@skip` and `@include`.
 */
export function collectSelectedFields(
	nodes: readonly FieldNode[],
	{fragments}: Pick<GraphQLResolveInfo, 'fragments'>,
	variables: JsonObject,
): readonly SelectedField[] {
	const fieldNodes = new Map<string, FieldNode[]>();
	const collect = (selectionSet: SelectionSetNode | undefined): void => {
		for (const selection of selectionSet?.selections ?? []) {
			if (!isIncluded(selection.directives ?? [], variables)) continue;
			if (selection.kind === 'Field') {
				const {value} = selection.name;
				fieldNodes.set(value, [...(fieldNodes.get(value) ?? []), selection]);
			} else if (selection.kind === 'InlineFragment') collect(selection.selectionSet);
			else collect(fragments[selection.name.value]?.selectionSet);
		}
	};
	for (const node of nodes) collect(node.selectionSet);
	return [...fieldNodes].map(([name, sameNameNodes]) => ({name, fieldNodes: sameNameNodes}));
}

/** True if `@skip` and `@include` keep a selection. */
const isIncluded = (directives: NonNullable<FieldNode['directives']>, variables: JsonObject): boolean =>
	directives.every(({name, arguments: directiveArguments}) => {
		const value = directiveArguments?.find(argument => argument.name.value === 'if')?.value;
		const condition =
			value?.kind === 'Variable'
				? variables[value.name.value] === true
				: value?.kind === 'BooleanValue' && value.value;
		return name.value === 'include' ? condition : name.value === 'skip' ? !condition : true;
	});
