export async function writeReport(_seed: number, _size: number): Promise<void> {}
