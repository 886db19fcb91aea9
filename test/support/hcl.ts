/**
 * The part of the HCL parser that is used; its own types would add those of browsers to the whole project.
 */
type HclParser = {parse(file: string, text: string): Promise<Record<string, unknown>>};

const parser: string = '@cdktn/hcl2json';

/** HCL as the parser of Terraform itself reads it, as JSON; escaped template signs (`$${`) stay as they are written. */
export async function parseHcl(file: string, text: string): Promise<Record<string, unknown>> {
	const {parse: read} = (await import(parser)) as HclParser;
	return read(file, text);
}
