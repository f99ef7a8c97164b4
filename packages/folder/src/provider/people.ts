/** The name under which the people of all folders are stored: who opens two folders is one user. */
export const folderPeople = "folder";

/** The one person of every folder. A folder is the operator's, who lets people in. */
export const folderOwner = { id: "owner", name: "Owner", email: null, avatarUrl: null };
