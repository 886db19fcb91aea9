import {type JsonNodes, stringOf} from './json-tree-nodes.ts';

/**
 * Numbers the values of JSON texts so that equal ones have one number: comparing two values, however large, is
 * then comparing two numbers. Strings and names are equal by what they say, numbers by how they are written
 * (`1` is not `1.0`, and no digit is lost), objects in any order of their properties.
 */
export class JsonValueIds {
	readonly #values = new Map<string, number>();
	readonly #names = new Map<string, number>();

	/** The id of each node; or a property whose object has that name twice, where "the" value has no meaning. */
	of(nodes: JsonNodes): {readonly ids: Int32Array} | {readonly repeated: number} {
		const ids = new Int32Array(nodes.size);
		for (let node = nodes.size - 1; node >= 0; node--) {
			const kind = nodes.kind(node);
			if (kind === 'object') {
				const members = this.#members(nodes, node, ids);
				const repeated = members.find((member, at) => at > 0 && member.name === members[at - 1]?.name);
				if (repeated) return {repeated: repeated.node};
				ids[node] = this.#id(`{${members.map(member => `${member.name}:${member.value}`).join()}`);
			} else if (kind === 'array') ids[node] = this.#id(`[${elements(nodes, node, ids).join()}`);
			else if (kind === 'string') ids[node] = this.#id(`"${stringOf(nodes.source(node))}`);
			else ids[node] = this.#id(nodes.source(node));
		}
		return {ids};
	}

	#members(nodes: JsonNodes, object: number, ids: Int32Array): {name: number; value: number; node: number}[] {
		const members = [];
		for (let child = object + 1; child < nodes.after(object); child = nodes.after(child))
			members.push({
				name: numbered(this.#names, nodes.name(child) ?? ''),
				value: ids[child] ?? 0,
				node: child,
			});
		return members.sort((one, other) => one.name - other.name);
	}

	#id(key: string): number {
		return numbered(this.#values, key);
	}
}

function elements(nodes: JsonNodes, array: number, ids: Int32Array): number[] {
	const found: number[] = [];
	for (let child = array + 1; child < nodes.after(array); child = nodes.after(child))
		found.push(ids[child] ?? 0);
	return found;
}

function numbered(table: Map<string, number>, key: string): number {
	const known = table.get(key);
	if (known !== undefined) return known;
	table.set(key, table.size);
	return table.size - 1;
}
